import type { Action } from "./transaction.ts";

/** Amounts of a round's transactions by action, in minor units. */
export type ActionSums = Readonly<Record<Action, bigint>>;

/** What a round adds up to. Failed transactions count nowhere. */
export interface RoundSums {
  readonly success: ActionSums;
  readonly pending: ActionSums & { readonly count: number };
}
