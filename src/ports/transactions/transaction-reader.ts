import type { Kind } from "../../../contract/transactions/kinds.ts";
import type { AttemptResult } from "../../../contract/wallet/results.ts";
import type { RoundSums } from "../../domain/transaction/round.ts";
import type { Action, DbTime, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";

/**
 * Transactions as merchants and support read them, without void rows. Times are the database's. Throws StoreUnavailable
 * when the database cannot serve.
 */
export abstract class TransactionReader {
  /**
   * The database's time now. A listing of several pages ends at this time, although new rows arrive while it is read.
   */
  abstract now(): Promise<DbTime>;

  /** One transaction with its attempts. The read sees every acknowledged write. */
  abstract find(key: TxKey): Promise<LoggedTransaction | undefined>;

  /** The transactions that match, at most `limit`. They are ordered by creation time and then by insertion. */
  abstract list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]>;

  /**
   * The number after which a reader of the feed begins. All changes at or after `since` have higher numbers. Changes
   * more than 61 s before `since` do not. 0: the feed begins at the first change.
   */
  abstract feedStart(merchantId: number, since: DbTime): Promise<bigint>;

  /**
   * Changed transactions in the order of their numbers, after number `after`, at most `limit`. A number becomes visible
   * only after all lower numbers. A row has the number of its newest state. So a reader that goes on after `next`
   * misses no change and gets a row twice only if it has changed.
   */
  abstract feed(query: FeedQuery, limit: number): Promise<FeedPage>;

  /**
   * A round's transactions, oldest first, at most `limit`, and the sums of the whole round at the same moment;
   * undefined: the round has no transaction.
   */
  abstract round(query: RoundQuery, limit: number): Promise<RoundPage | undefined>;
}

export interface ListedTransaction {
  /** The number of the row, in the order of insertion. */
  readonly id: bigint;
  readonly transaction: Transaction;
  /** The result of the last attempt that ended; null: no attempt has ended. */
  readonly lastResult: AttemptResult | null;
}

export interface LoggedTransaction extends ListedTransaction {
  /** The first 2 000 attempts that ended. */
  readonly log: readonly LoggedAttempt[];
}

/** An attempt in the log. A null field is not known, because the attempt's process died. */
export interface LoggedAttempt {
  readonly n: number;
  readonly at: DbTime;
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly result: AttemptResult | null;
  readonly requestId: string | null;
  /**
   * The first 200 bytes of a reply that was neither accepted nor rejected, with secrets and tokens masked; absent:
   * there is no such reply.
   */
  readonly replyStart?: string | undefined;
  /** Why the wallet rejected the call; absent: it did not, or an older release logged the call. */
  readonly error?: string | undefined;
}

/** Chooses transactions. A field that is undefined excludes no transaction. */
export interface TransactionFilter {
  readonly action?: Action | undefined;
  readonly kind?: Kind | undefined;
  readonly playerId?: string | undefined;
  readonly roundId?: string | undefined;
  /** An id with the provider's prefix, as merchants see it. */
  readonly txId?: string | undefined;
  readonly refTxId?: string | undefined;
  /** A provider's code. */
  readonly provider?: string | undefined;
  readonly game?: string | undefined;
}

/** The position in a list where a page ended. */
export interface ListPosition {
  readonly createdAt: DbTime;
  readonly id: bigint;
}

export interface TransactionQuery extends TransactionFilter {
  readonly merchantId: number;
  readonly order: "asc" | "desc";
  /** Only transactions created at or after this time. */
  readonly from?: DbTime | undefined;
  /** Only transactions created before this time. */
  readonly to?: DbTime | undefined;
  readonly status?: Exclude<Status, "void"> | undefined;
  /** Only transactions after this position. */
  readonly after?: ListPosition | undefined;
}

export interface FeedQuery extends TransactionFilter {
  readonly merchantId: number;
  /** The number at which the last page ended. */
  readonly after: bigint;
}

export interface FeedPage {
  readonly items: readonly ListedTransaction[];
  /**
   * The next page begins after this number. The numbers up to it include changes that do not match the filter, so even
   * a page that is not full may have a next page.
   */
  readonly next: bigint;
  /** The age in ms of the oldest change without a number just before the page was read; 0: all changes had numbers. */
  readonly behindMs: number;
}

export interface RoundQuery {
  readonly merchantId: number;
  /** The provider's code. */
  readonly provider: string;
  readonly roundId: string;
  readonly after?: ListPosition | undefined;
}

export interface RoundPage {
  readonly items: readonly ListedTransaction[];
  readonly sums: RoundSums;
  /** When its first bet that was not rejected was created; null: it has none. */
  readonly openedAt: DbTime | null;
}
