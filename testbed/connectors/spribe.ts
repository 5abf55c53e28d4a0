/** A fake Spribe: it signs its calls. A launch is no call, so the fake reads the game's address. */
import { createHmac } from "node:crypto";
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const SECRET = "testKey";
const OPERATOR = "casino1";

export interface SpribeAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Who {
  readonly user_id: string;
  readonly session_token: string;
}

export async function startSpribeStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "spribe",
    provider: "SPRIBE",
    variables: (url) => ({ SPRIBE_URL: url, SPRIBE_OPERATOR: OPERATOR, SPRIBE_SECRET: SECRET, ...variables }),
    answer: () => "{}",
    ...more,
  });
  /** A signed call, before it is sent. The signature is written apart from the connector's. */
  const requestOf = (
    call: string,
    body: string,
    { secret = SECRET, client = OPERATOR, signed = `/${call}?v=1` } = {},
  ): ProviderCall => ({
    path: `/${call}?v=1`,
    headers: {
      "content-type": "application/json",
      "x-spribe-client-id": client,
      "x-spribe-client-ts": "1700000000",
      "x-spribe-client-signature": createHmac("sha256", secret).update(`1700000000${signed}${body}`).digest("hex"),
    },
    body,
  });
  /** Sends a body as it is, again while the aggregator is busy. */
  const send = async (call: string, text: string, signing: object = {}): Promise<SpribeAnswer> => {
    const { path, headers, body } = requestOf(call, text, signing);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as SpribeAnswer;
    return answer.code === 500 && (await stage.wasBusy()) ? send(call, text, signing) : answer;
  };
  const address = async (fields: object = {}, merchant?: string) => new URL(await stage.launchUrl(fields, merchant));
  let sessions = 0;
  return {
    ...stage,
    send,
    address,
    call: (call: string, fields: object) => send(call, JSON.stringify(fields)),
    request: (call: string, fields: object) => requestOf(call, JSON.stringify(fields)),
    /** Opens a game, as its page does: it gives the session a token of Spribe's. */
    async open(fields: object = {}, merchant?: string): Promise<Who> {
      const user_token = (await address(fields, merchant)).searchParams.get("token") ?? "";
      const session_token = `spribe-${++sessions}`;
      const answer = await send("auth", JSON.stringify({ user_token, session_token, platform: "desktop" }));
      return { user_id: String(answer.data?.user_id), session_token };
    },
  };
}

let number = 0;
/** The fields of a call about money, with ids of their own. `amount` is the major unit times 1 000. */
export function spribeFields(who: Who, amount: number, more: Readonly<Record<string, unknown>> = {}) {
  number += 1;
  return {
    ...who,
    currency: "BRL",
    amount,
    provider: "spribe_aviator",
    provider_tx_id: `tx-${number}`,
    game: "lucky",
    action: "bet",
    action_id: `round-${number}`,
    platform: "desktop",
    ...more,
  };
}
