/** A fake Evolution: it calls One Wallet and answers launches. */
import { type EvolutionLaunch, evolutionWire } from "../../sandbox/upstreams/wire/evolution.ts";
import type { Scope } from "../stage/world.ts";
import { type StageOptions, startStage } from "./stage.ts";

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
    provider: evolutionWire.provider,
    variables: (url) => ({ ...evolutionWire.variables(url), ...variables }),
    answer: () => JSON.stringify({ entry: "/entry?params=1", entryEmbedded: "/entry?params=1&embedded=1" }),
    ...more,
  });
  /** Sends a body as it is. */
  const send = async (call: string, text: string, authToken?: string): Promise<EvolutionAnswer> => {
    const { path, headers, body } = evolutionWire.request(call, text, authToken);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as EvolutionAnswer;
    return answer.status === "TEMPORARY_ERROR" && (await stage.wasBusy()) ? send(call, text, authToken) : answer;
  };
  return {
    ...stage,
    send,
    call: (call: string, fields: object) => send(call, JSON.stringify(fields)),
    request: (call: string, fields: object) => evolutionWire.request(call, JSON.stringify(fields)),
    async open(fields: object = {}, merchant = "shop-brl"): Promise<Who> {
      const { player } = JSON.parse((await stage.launch(fields, merchant)).body) as EvolutionLaunch;
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
