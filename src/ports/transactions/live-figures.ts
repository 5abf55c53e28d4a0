import type { Action, DbTime } from "../../domain/transaction/transaction.ts";

/** The maximum of a merchant's pending transactions that are counted. */
export const PENDING_SUMMED_MAX = 5_000;

/** Figures of many merchants, for a page that people watch. Void rows are never counted. Throws StoreUnavailable. */
export abstract class LiveFigures {
  /**
   * The sums of the successful transactions by the hour of their creation, in no order. A transaction is in these sums
   * about a second after its end, when it has got its change number.
   *
   * @param from, to - whole hours: the first that counts, and the first that no longer counts.
   */
  abstract hours(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<HourFigures[]>;

  /** The transactions created at or after `from` and before `to`. Merchants without transactions are left out. */
  abstract activity(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<Activity[]>;

  /**
   * The pending transactions that wait for another attempt or for their provider, by their age. Of a merchant at most
   * {@link PENDING_SUMMED_MAX} are counted; those that the service does not resend are counted first. Merchants without
   * such transactions are left out.
   *
   * @param agesMs - minimum ages in ms; the figures have the same order.
   */
  abstract pending(merchantIds: readonly number[], agesMs: readonly number[]): Promise<PendingFigures[]>;
}

export interface HourFigures {
  readonly merchantId: number;
  readonly hour: DbTime;
  readonly action: Action;
  readonly count: number;
  readonly sumMinor: bigint;
}

export interface Activity {
  readonly merchantId: number;
  readonly bets: number;
  /** The number of players with a transaction. */
  readonly players: number;
}

export interface PendingFigures {
  readonly merchantId: number;
  /** One figure for each age: the number and sum of the transactions that have at least this age. */
  readonly ages: readonly { readonly count: number; readonly sumMinor: bigint }[];
}
