import { Pool } from "undici";
import { type Call, SUCCESS } from "./call.ts";
import { freshIds } from "./plays.ts";

/** Calls the wallet directly, like the service. The service's latencies are compared with those of these calls. */
export function walletCaller(url: string): Call {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { pipelining: 1 });
  const nextId = freshIds();
  return (done) => {
    const body = `{"action":"bet","player_id":"player-1","currency":"BRL","provider":"BENCH","game":"reels","tx_id":"BENCH:${nextId()}","round_id":"r","amount":1.5}`;
    pool
      .request({ method: "POST", path: pathname, headers: { "content-type": "application/json" }, body })
      .then(async (response) => ((await response.body.json()) as { ok: boolean }).ok)
      .then(
        (ok) => done({ outcome: ok ? SUCCESS : "rejected" }),
        (error: Error) => done({ outcome: error.message }),
      );
  };
}
