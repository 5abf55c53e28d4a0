import type { Action } from "./transaction.ts";

/** The sum of the amounts of a round's transactions for each action, in minor units. */
export type ActionSums = Readonly<Record<Action, bigint>>;

/** The sums of a round, without failed transactions. */
export interface RoundSums {
  readonly success: ActionSums;
  readonly pending: ActionSums & { readonly count: number };
}
