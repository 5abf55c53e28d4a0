import type { Action, DbTime } from "./transaction.ts";

/** The sum of the amounts of a round's transactions for each action, in minor units. */
export type ActionSums = Readonly<Record<Action, bigint>>;

/** The sums of a round, without failed transactions. */
export interface RoundSums {
  readonly success: ActionSums;
  readonly pending: ActionSums & { readonly count: number };
}

const NOTHING: ActionSums = { bet: 0n, win: 0n, refund: 0n, rollback: 0n };
/** The sums of a round without transactions. */
export const NO_SUMS: RoundSums = { success: NOTHING, pending: { ...NOTHING, count: 0 } };

/** Whether a round has ended, as its provider has told. */
export type RoundEnd =
  /** The provider had never ended a round when this round began, or nothing is known of the round. */
  { readonly state: "unknown" } | { readonly state: "open" } | { readonly state: "ended"; readonly endedAt: DbTime };

/**
 * @param stored - the stored round; undefined: it is not stored. An open round is stored a moment after it began.
 * @param openedAt - when the round's first bet that was not rejected was created; null: there is none.
 * @param since - when the provider first ended a round; null: it has never ended one.
 */
export function roundEnd(
  stored: { readonly endedAt: DbTime | null } | undefined,
  openedAt: DbTime | null,
  since: DbTime | null,
): RoundEnd {
  if (stored !== undefined)
    return stored.endedAt === null ? { state: "open" } : { state: "ended", endedAt: stored.endedAt };
  return openedAt !== null && since !== null && openedAt >= since ? { state: "open" } : { state: "unknown" };
}
