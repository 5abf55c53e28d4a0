/** A fake SOFTSWISS: it signs its calls, and it checks the signature of a launch. */
import { createHmac } from "node:crypto";
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const TOKEN = "testKey";

/** The signature of the API, written apart from the connector's. */
export const softswissSign = (body: string, token = TOKEN): string =>
  createHmac("sha256", token).update(body).digest("hex");

export interface SoftswissAnswer {
  readonly code?: number;
  readonly message?: string;
  readonly balance?: number;
  readonly game_id?: string;
  readonly transactions?: readonly { readonly action_id: string; readonly tx_id: string }[];
}

export interface Who {
  readonly user_id: string;
  readonly currency: string;
}

export async function startSoftswissStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "softswiss",
    provider: "SOFTSWISS",
    variables: (url) => ({
      SOFTSWISS_URL: url,
      SOFTSWISS_CASINO_ID: "casino1",
      SOFTSWISS_AUTH_TOKEN: TOKEN,
      SOFTSWISS_ROUND_ENDS: "true",
      ...variables,
    }),
    answer: ({ path, headers, body }) => {
      if (headers["x-request-sign"] !== softswissSign(body)) return '{"code":403}';
      const { game } = JSON.parse(body) as { game: string };
      return JSON.stringify({
        launch_options: { game_url: `https://games.example${path}/${game}`, strategy: "iframe" },
      });
    },
    ...more,
  });
  const requestOf = (call: string, body: string, sign = softswissSign(body)): ProviderCall => ({
    path: `/${call}`,
    headers: { "content-type": "application/json", "x-request-sign": sign },
    body,
  });
  /** Sends a body as it is, again while the aggregator is busy. */
  const send = async (
    call: string,
    text: string,
    sign?: string,
  ): Promise<SoftswissAnswer & { readonly http: number }> => {
    const { path, headers, body } = requestOf(call, text, sign);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    const answer = { http: reply.status, ...((await reply.json()) as SoftswissAnswer) };
    return answer.code === 500 && (await stage.wasBusy()) ? send(call, text, sign) : answer;
  };
  return {
    ...stage,
    send,
    call: (call: string, fields: object) => send(call, JSON.stringify(fields)),
    request: (call: string, fields: object) => requestOf(call, JSON.stringify(fields)),
    async open(fields: object = {}, merchant?: string): Promise<Who> {
      const { user, currency } = JSON.parse((await stage.launch(fields, merchant)).body) as {
        user: { id: string };
        currency: string;
      };
      return { user_id: user.id, currency };
    },
  };
}

export const bet = (action_id: string, amount: number, more: object = {}) => ({
  action: "bet",
  amount,
  action_id,
  ...more,
});
export const win = (action_id: string, amount: number, more: object = {}) => ({
  action: "win",
  amount,
  action_id,
  ...more,
});
export const rollback = (action_id: string, original_action_id: string) => ({
  action: "rollback",
  action_id,
  original_action_id,
});

/** The fields of a call about a round. Amounts are minor units. */
export const softswissFields = (who: Who, game_id: string, actions: readonly object[], more: object = {}) => ({
  ...who,
  game: "lucky",
  game_id,
  finished: false,
  actions,
  ...more,
});
