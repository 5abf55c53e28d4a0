/** A fake Red Tiger: it calls the wallet API with its key. A launch is no call, so the fake reads the game's address. */
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const API_KEY = "a-key-of-red-tiger";
export const RECON_TOKEN = "a-recon-token-of-thirty-two-characters-or-more";

export interface RedTigerAnswer {
  readonly success: boolean;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly token?: string;
    readonly id?: string;
    readonly balance?: { readonly cash: string; readonly bonus: string };
  };
}

export interface Who {
  readonly token: string;
  readonly userId: string;
}

export async function startRedTigerStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "redtiger",
    provider: "REDTIGER",
    variables: (url) => ({
      REDTIGER_URL: url,
      REDTIGER_API_KEY: API_KEY,
      REDTIGER_RECON_TOKEN: RECON_TOKEN,
      REDTIGER_CASINO: "casino1",
      ...variables,
    }),
    answer: () => "{}",
    ...more,
  });
  const requestOf = (call: string, body: string, key = `Basic ${API_KEY}`): ProviderCall => ({
    path: `/${call}`,
    headers: { "content-type": "application/json", authorization: key },
    body,
  });
  /** Sends a body as it is, again while the aggregator is busy. */
  const send = async (
    call: string,
    text: string,
    key?: string,
  ): Promise<RedTigerAnswer & { readonly http: number }> => {
    const { path, headers, body } = requestOf(call, text, key);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    const answer = { http: reply.status, ...((await reply.json()) as RedTigerAnswer) };
    return answer.error?.code === 500 && (await stage.wasBusy()) ? send(call, text, key) : answer;
  };
  return {
    ...stage,
    send,
    call: (call: string, fields: object) => send(call, JSON.stringify(fields)),
    request: (call: string, fields: object) => requestOf(call, JSON.stringify(fields)),
    /** The address of a game. */
    address: async (fields: object = {}, merchant?: string) => new URL(await stage.launchUrl(fields, merchant)),
    async open(fields: object = {}, merchant?: string): Promise<Who> {
      const query = new URL(await stage.launchUrl(fields, merchant)).searchParams;
      return { token: query.get("token") ?? "", userId: query.get("userId") ?? "" };
    },
  };
}

interface Money {
  readonly id?: string;
  readonly round?: string;
  readonly ends?: boolean;
  readonly [name: string]: unknown;
}

let number = 0;
/** The fields of a stake, payout or refund, with ids of their own. `amount` is in the major unit. */
export function redTigerFields(who: Who, amount: string, more: Money = {}) {
  number += 1;
  const { id = `tx-${number}`, round = `round-${number}`, ends = false, ...others } = more;
  const details = { game: amount, jackpot: "0.000000" };
  const stake = { stake: amount, stakePromo: "0.00", payout: amount, payoutPromo: "0.00", details };
  return {
    ...who,
    casino: "casino1",
    currency: "BRL",
    ip: "203.0.113.7",
    transaction: { id, ...stake, sources: { lines: amount, features: "0.00", jackpot: {} } },
    game: { type: "slot", key: "lucky", version: "1" },
    round: { id: round, starts: true, ends },
    promo: { type: "", instanceCode: "", instanceId: 0, campaignCode: "", campaignId: 0 },
    jackpot: { group: "", contribution: "", pots: [] },
    retry: false,
    ...others,
  };
}
