/** A fake Hub88 and a fake Caleta: they sign their calls, and they check the signature of a launch. */
import { type HubApi, type HubCall, type HubLaunch, hubWire } from "../../sandbox/upstreams/wire/hub88.ts";
import type { Scope } from "../stage/world.ts";
import { type Stage, type StageOptions, startStage } from "./stage.ts";

export type HubAnswer = Readonly<Record<string, unknown>> & { readonly status: string; readonly balance?: number };

export async function startHubStage(
  t: Scope,
  api: HubApi = "hub88",
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const wire = hubWire(api);
  const stage: Stage = await startStage(t, {
    api,
    provider: wire.provider,
    variables: (url) => ({ ...wire.variables(url), ...variables }),
    answer: (call) => {
      const launch = wire.read<HubLaunch>(call);
      if (launch === undefined) return '{"error":"signature"}';
      return JSON.stringify({ url: `https://games.example/${launch.game_code}?token=${launch.token ?? ""}` });
    },
    ...more,
  });

  const send = async (path: string, body: string, signature?: string): Promise<HubAnswer> => {
    const { headers } = wire.request(path, body, signature);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as HubAnswer;
    return answer.status === "RS_ERROR_UNKNOWN" && (await stage.wasBusy()) ? send(path, body, signature) : answer;
  };

  return {
    ...stage,
    send,
    path: (call: HubCall) => wire.paths[call],
    call: (call: HubCall, fields: object) => send(wire.paths[call], JSON.stringify(fields)),
    request: (call: HubCall, fields: object) => wire.request(wire.paths[call], JSON.stringify(fields)),
    /** A call with this body, signed. The body may have any bytes. */
    signed: <Body extends string | Buffer>(call: HubCall, body: Body) => wire.request(wire.paths[call], body),
    /** Opens a game and returns the user and token that the provider got. */
    async open(fields: object = {}, merchant = "shop-brl"): Promise<{ user: string; token: string }> {
      return JSON.parse((await stage.launch(fields, merchant)).body) as { user: string; token: string };
    },
  };
}

let number = 0;
/** The fields of a call of the API with ids of its own. `amount` is in 100 000ths of the major unit. */
export function hubFields(who: { user: string; token: string }, more: object = {}) {
  number += 1;
  return {
    user: who.user,
    token: who.token,
    supplier_user: who.user,
    transaction_uuid: `tx-${number}`,
    supplier_transaction_id: `s-${number}`,
    request_uuid: `req-${number}`,
    round: `round-${number}`,
    round_closed: false,
    game_code: "lucky",
    currency: "BRL",
    amount: 250_000,
    is_free: false,
    ...more,
  };
}
