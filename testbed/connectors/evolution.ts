/** A fake Evolution: it calls One Wallet and answers launches. */
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const AUTH_TOKEN = "a-secret-of-evolution";

export interface EvolutionAnswer {
  readonly status: string;
  readonly balance?: number;
  readonly sid?: string;
  readonly uuid?: string;
  readonly retransmission?: boolean;
}

export interface Who {
  readonly sid: string;
  readonly userId: string;
}

export async function startEvolutionStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "evolution",
    provider: "EVOLUTION",
    variables: (url) => ({
      EVOLUTION_URL: url,
      EVOLUTION_CASINO_KEY: "casino1",
      EVOLUTION_API_TOKEN: "launch-token",
      EVOLUTION_AUTH_TOKEN: AUTH_TOKEN,
      ...variables,
    }),
    answer: () => JSON.stringify({ entry: "/entry?params=1", entryEmbedded: "/entry?params=1&embedded=1" }),
    ...more,
  });
  const requestOf = (call: string, body: string, authToken = AUTH_TOKEN): ProviderCall => ({
    path: `/one/${call}?authToken=${authToken}`,
    headers: { "content-type": "application/json" },
    body,
  });
  /** Sends a body as it is. */
  const send = async (call: string, text: string, authToken?: string): Promise<EvolutionAnswer> => {
    const { path, headers, body } = requestOf(call, text, authToken);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as EvolutionAnswer;
    return answer.status === "TEMPORARY_ERROR" && (await stage.wasBusy()) ? send(call, text, authToken) : answer;
  };
  return {
    ...stage,
    send,
    call: (call: string, fields: object) => send(call, JSON.stringify(fields)),
    request: (call: string, fields: object) => requestOf(call, JSON.stringify(fields)),
    async open(fields: object = {}, merchant = "shop-brl"): Promise<Who> {
      const { player } = JSON.parse((await stage.launch(fields, merchant)).body) as {
        player: { id: string; session: { id: string } };
      };
      return { sid: player.session.id, userId: player.id };
    },
  };
}

let number = 0;
/** The fields of a debit, credit or cancel of one bet. `amount` is in the major unit. */
export function evolutionFields(who: Who, refId: string, amount: number, more: object = {}) {
  number += 1;
  return {
    ...who,
    uuid: `uuid-${number}`,
    currency: "BRL",
    game: { id: `game-${refId}`, type: "roulette", details: { table: { id: "table", vid: "vid1" } } },
    transaction: { id: `t-${number}`, refId, amount },
    ...more,
  };
}
