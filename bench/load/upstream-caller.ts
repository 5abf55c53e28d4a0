import { createPrivateKey, sign } from "node:crypto";
import { Pool } from "undici";
import { type Call, SUCCESS } from "./call.ts";
import type { Target } from "./orders.ts";
import { freshIds } from "./plays.ts";

/** An upstream that sends bets to its connector. The calls are signed beforehand, because a signature takes long. */
export function upstreamCaller(target: Target & { protocol: "connector" }): Call {
  const { api, players, currency, game, privateKey } = target;
  const pool = new Pool(target.origin, { connections: target.connections, pipelining: 1 });
  const key = createPrivateKey(privateKey);
  const nextId = freshIds();
  let n = 0;
  const make = () => {
    const [id, { user, token }, minor] = [
      nextId(),
      players[n % players.length] as (typeof players)[number],
      100 + (n % 900),
    ];
    n += 1;
    if (api === "evolution") {
      const details = { table: { id: game, vid: game } };
      const transaction = { id: `t-${id}`, refId: id, amount: minor / 100 };
      const body = {
        sid: token,
        userId: user,
        uuid: id,
        currency,
        game: { id: `r-${id}`, type: "roulette", details },
        transaction,
      };
      return { path: "/debit?authToken=bench", headers: {}, body: JSON.stringify(body) };
    }
    const body = JSON.stringify({
      user,
      token,
      supplier_user: user,
      transaction_uuid: id,
      supplier_transaction_id: id,
      request_uuid: id,
      round: `r-${id}`,
      round_closed: false,
      is_free: false,
      game_code: game,
      currency,
      amount: minor * 1_000,
    });
    const signature = sign("sha256", Buffer.from(body), key).toString("base64");
    return { path: "/transaction/bet", headers: { "x-hub88-signature": signature }, body };
  };
  const prepared = Array.from({ length: target.prepared }, make);
  return (done) => {
    const { path, headers, body } = prepared.pop() ?? make();
    pool
      .request({ method: "POST", path, headers: { ...headers, "content-type": "application/json" }, body })
      .then(async (response) => ((await response.body.json()) as { status: string }).status)
      .then(
        (status) => done({ outcome: status === "OK" || status === "RS_OK" ? SUCCESS : status }),
        (error: Error) => done({ outcome: error.message }),
      );
  };
}
