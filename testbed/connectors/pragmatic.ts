/** A fake Pragmatic: it signs its calls with the MD5 hash, and it checks the hash of a launch. */
import { createHash } from "node:crypto";
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const SECRET = "testKey";
export type PragmaticFields = Readonly<Record<string, string>>;
export type PragmaticAnswer = Readonly<Record<string, unknown>> & {
  readonly error: number;
  readonly description: string;
  readonly cash?: number;
  readonly transactionId?: string;
};

/** The hash of the API's documentation, written apart from the connector's. */
export function pragmaticHash(fields: PragmaticFields, secret = SECRET): string {
  let text = "";
  for (const name of Object.keys(fields).sort())
    if (name !== "hash" && fields[name] !== "") text += `${text === "" ? "" : "&"}${name}=${fields[name]}`;
  return createHash("md5")
    .update(text + secret)
    .digest("hex");
}

export async function startPragmaticStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "pragmatic",
    provider: "PRAGMATIC",
    variables: (url) => ({
      PRAGMATIC_URL: url,
      PRAGMATIC_SECURE_LOGIN: "casino_casino",
      PRAGMATIC_SECRET: SECRET,
      ...variables,
    }),
    answer: ({ path, body }) => {
      const { hash, ...fields } = Object.fromEntries(new URLSearchParams(body));
      if (path !== "/IntegrationService/v3/http/CasinoGameAPI/game/url/") return '{"error":"1"}';
      if (hash !== pragmaticHash(fields)) return '{"error":"2","description":"hash"}';
      return JSON.stringify({ error: "0", gameURL: `https://games.example/${fields.symbol}?t=${fields.token ?? ""}` });
    },
    ...more,
  });

  /** Sends a body as it is, and returns the HTTP status and the text of the answer. */
  const sendRaw = async (method: string, body: string, origin = stage.origin) => {
    const reply = await fetch(`${origin}/${method}.html`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    return { http: reply.status, text: await reply.text() };
  };

  const send = async (method: string, body: string): Promise<PragmaticAnswer> => {
    const { http, text } = await sendRaw(method, body);
    if (http !== 200) throw new Error(`HTTP ${http}`);
    return JSON.parse(text) as PragmaticAnswer;
  };

  /** A call with its hash, before it is sent. */
  const request = (method: string, fields: PragmaticFields): ProviderCall => {
    const all = { providerId: "PragmaticPlay", ...fields };
    return {
      path: `/${method}.html`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...all, hash: pragmaticHash(all) }).toString(),
    };
  };
  const callOnce = (method: string, fields: PragmaticFields) => send(method, request(method, fields).body);

  return {
    ...stage,
    sendRaw,
    send,
    request,
    callOnce,
    /** Like {@link callOnce}, but makes a call again that got 100, as the provider does: a busy service did not serve it. */
    async call(method: string, fields: PragmaticFields): Promise<PragmaticAnswer> {
      for (let times = 1; ; times++) {
        const answer = await callOnce(method, fields);
        if (![100, 130].includes(answer.error) || times === 60) return answer;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    /** Opens a game and returns the player's id and token at Pragmatic. */
    async open(fields: object = {}, merchant = "shop-brl"): Promise<{ userId: string; token: string }> {
      const form = new URLSearchParams((await stage.launch(fields, merchant)).body);
      return { userId: form.get("externalPlayerId") ?? "", token: form.get("token") ?? "" };
    },
  };
}

let number = 0;
/** The fields of a call about money, with a reference and a round of its own. */
export function pragmaticFields(userId: string, more: PragmaticFields = {}): PragmaticFields & { reference: string } {
  number += 1;
  return {
    userId,
    gameId: "lucky",
    roundId: `${5_103_188_800 + number}`,
    amount: "2.50",
    reference: `ref-${number}`,
    timestamp: `${1_700_000_000_000 + number}`,
    roundDetails: "spin",
    ...more,
  };
}
