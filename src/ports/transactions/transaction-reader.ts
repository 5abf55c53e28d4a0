import type { RoundSums } from "../../domain/transaction/round.ts";
import type { Action, DbTime, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { AttemptResult } from "./transaction-store.ts";

/**
 * Transactions as merchants and support read them. Void rows are no transactions here. Times are the database's. A database that serves
 * nobody is a StoreUnavailable.
 */
export abstract class TransactionReader {
  /** The database's time now: where a listing ends that goes on page by page while rows arrive. */
  abstract now(): Promise<DbTime>;

  /** Read where every acknowledged write is seen. */
  abstract find(key: TxKey): Promise<LoggedTransaction | undefined>;

  /** The transactions that match, by creation and then by insertion, at most `limit`. */
  abstract list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]>;

  /**
   * The number after which the changes of `since` and later stand, and none that is more than a minute older: where a reader of the feed
   * begins. 0: at the first.
   */
  abstract feedStart(merchantId: number, since: DbTime): Promise<bigint>;

  /**
   * Changed transactions in the order of their numbers, behind `after`, at most `limit`. A number is seen only when all lower ones are,
   * and a row has the number of its newest state, so who goes on behind `next` misses nothing and sees nothing unchanged twice.
   */
  abstract feed(query: FeedQuery, limit: number): Promise<FeedPage>;

  /** A round's transactions, oldest first, at most `limit`, and the sums of the whole round at the same moment; undefined: it has none. */
  abstract round(query: RoundQuery, limit: number): Promise<RoundPage | undefined>;
}

export interface ListedTransaction {
  /** Order of insertion. */
  readonly id: bigint;
  readonly transaction: Transaction;
  /** How the last attempt that ended did; null: none has. */
  readonly lastResult: AttemptResult | null;
}

export interface LoggedTransaction extends ListedTransaction {
  /** The first 2 000 attempts that ended. */
  readonly log: readonly LoggedAttempt[];
}

/** An attempt of the log; what is null is not known, for its process died. */
export interface LoggedAttempt {
  readonly n: number;
  readonly at: DbTime;
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly result: AttemptResult | null;
  readonly requestId: string | null;
}

/** What a transaction must be to be listed; undefined: anything. */
export interface TransactionFilter {
  readonly action?: Action | undefined;
  readonly playerId?: string | undefined;
  readonly roundId?: string | undefined;
  /** Wire ids. */
  readonly txId?: string | undefined;
  readonly refTxId?: string | undefined;
  /** Codes. */
  readonly provider?: string | undefined;
  readonly game?: string | undefined;
}

/** Where a page ended. */
export interface ListPosition {
  readonly createdAt: DbTime;
  readonly id: bigint;
}

export interface TransactionQuery extends TransactionFilter {
  readonly merchantId: number;
  readonly order: "asc" | "desc";
  /** Created at or after. */
  readonly from?: DbTime | undefined;
  /** Created before. */
  readonly to?: DbTime | undefined;
  readonly status?: Exclude<Status, "void"> | undefined;
  /** What stands behind this one. */
  readonly after?: ListPosition | undefined;
}

export interface FeedQuery extends TransactionFilter {
  readonly merchantId: number;
  /** The number where the last page ended. */
  readonly after: bigint;
}

export interface FeedPage {
  readonly items: readonly ListedTransaction[];
  /** The number to go on behind. It moves on past what doesn't match as well, so a page that isn't full need not be the end. */
  readonly next: bigint;
  /** The age of the oldest change that had no number yet just before the page was read; 0: all had one. */
  readonly behindMs: number;
}

export interface RoundQuery {
  readonly merchantId: number;
  /** Code. */
  readonly provider: string;
  readonly roundId: string;
  readonly after?: ListPosition | undefined;
}

export interface RoundPage {
  readonly items: readonly ListedTransaction[];
  readonly sums: RoundSums;
}
