import type { Action } from "./transaction.ts";

/** Amounts of a round's transactions by action, in minor units. */
export type ActionSums = Readonly<Record<Action, bigint>>;

/** The sums of a round. Failed transactions are in none of them. */
export interface RoundSums {
  readonly success: ActionSums;
  readonly pending: ActionSums & { readonly count: number };
}
