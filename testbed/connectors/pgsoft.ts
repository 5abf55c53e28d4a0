/** A fake PG Soft: it sends its secrets with each call. A launch is no call, so the fake reads the game's address. */
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type StageOptions, startStage } from "./stage.ts";

const SECRETS = { operator_token: "operator-1", secret_key: "a-secret-of-pg-soft" };

export type PgFields = Readonly<Record<string, string>>;
export interface PgAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Who {
  readonly operator_player_session: string;
  readonly player_name: string;
}

export async function startPgSoftStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage = await startStage(t, {
    api: "pgsoft",
    provider: "PGSOFT",
    variables: (url) => ({
      PGSOFT_URL: url,
      PGSOFT_OPERATOR_TOKEN: SECRETS.operator_token,
      PGSOFT_SECRET_KEY: SECRETS.secret_key,
      ...variables,
    }),
    answer: () => "{}",
    ...more,
  });
  const request = (call: string, fields: PgFields): ProviderCall => ({
    path: `/${call}?trace_id=trace-1`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...SECRETS, ...fields }).toString(),
  });
  /** Sends a body as it is, again while the aggregator is busy. */
  const send = async (call: string, body: string): Promise<PgAnswer> => {
    const { path, headers } = request(call, {});
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as PgAnswer;
    return answer.error?.code === "1200" && (await stage.wasBusy()) ? send(call, body) : answer;
  };
  return {
    ...stage,
    send,
    request,
    call: (call: string, fields: PgFields) => send(call, request(call, fields).body),
    address: async (fields: object = {}, merchant?: string) => new URL(await stage.launchUrl(fields, merchant)),
    /** Opens a game, as its page does: the session of the address names the player. */
    async open(fields: object = {}, merchant?: string): Promise<Who> {
      const session = new URL(await stage.launchUrl(fields, merchant)).searchParams.get("ops") ?? "";
      const verified = await send("VerifySession", request("VerifySession", { operator_player_session: session }).body);
      return { operator_player_session: session, player_name: String(verified.data?.player_name) };
    },
  };
}

let number = 0;
/** The fields of a spin, with ids of its own. Amounts are in minor units of two decimals. */
export function pgFields(who: Who, bet: number, win: number, more: PgFields = {}): PgFields & { bet_id: string } {
  number += 1;
  const bet_id = more.bet_id ?? `${1_900_000 + number}`;
  const parent_bet_id = more.parent_bet_id ?? bet_id;
  const major = (amount: number) => (amount / 100).toFixed(2);
  return {
    ...who,
    game_id: "lucky",
    parent_bet_id,
    bet_id,
    currency_code: "BRL",
    bet_amount: major(bet),
    win_amount: major(win),
    transfer_amount: major(win - bet),
    transaction_id: `${bet_id}-${parent_bet_id}-106-0`,
    wallet_type: "C",
    bet_type: "1",
    create_time: "1700000000000",
    updated_time: `${1_700_000_000_000 + number}`,
    is_validate_bet: "False",
    is_adjustment: "False",
    is_parent_zero_stake: "False",
    is_feature: "False",
    is_feature_buy: "False",
    is_wager: "False",
    is_end_round: "True",
    ...more,
  };
}
