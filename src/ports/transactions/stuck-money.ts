import type { StuckKind } from "../../domain/transaction/stuck.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { PlayerId, TxKey } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { NewAuditEntry } from "../admin-store.ts";
import type { NumberLine } from "./change-store.ts";
import type { ListedTransaction } from "./transaction-reader.ts";

/** The maximum of a merchant's transactions of one kind that are counted, and of all slips. */
export const STUCK_COUNTED_MAX = 1_000;
/** The maximum of a merchant's pending transactions that are counted: of those that the service still sends, and of the others. */
export const OPEN_COUNTED_MAX = 5_000;
/** Contradictions of older transactions are not shown. */
export const CONTRADICTIONS_MS = 90 * 24 * 3_600_000;

/**
 * Credits that players wait for, and money that needs a person: pending transactions past their horizon, failed credits,
 * contradictions of wallets, and slips that do not end. Failed credits and contradictions are noted when their change
 * gets its number. Throws StoreUnavailable.
 */
export abstract class StuckMoney {
  /**
   * Sums by merchant and kind, in no order. Merchants without stuck money are left out.
   *
   * @param kinds - the kinds that are added up.
   * @param agesMs - minimum ages in ms; the figures have the same order.
   * @param horizonMs - a pending transaction is stuck if it was opened at least this long ago and the service does not
   *   send it any more.
   */
  abstract sums(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    horizonMs: number,
    kinds: readonly StuckKind[],
  ): Promise<StuckSums[]>;

  /**
   * Sums of the pending transactions whose first call has ended, stuck or not, in no order. At most
   * {@link OPEN_COUNTED_MAX} transactions of a merchant that the service still sends are counted, and as many others.
   * Merchants without such transactions are left out. For `agesMs` and `horizonMs` see {@link sums}.
   */
  abstract open(merchantIds: readonly number[], agesMs: readonly number[], horizonMs: number): Promise<OpenSums[]>;

  /**
   * Stuck transactions of one kind, at most `limit`: merchant by merchant in the order of `merchantIds`, and of each
   * merchant the oldest first. Of `retrying` and `open` the next to be sent comes first.
   */
  abstract list(query: StuckQuery, limit: number): Promise<StuckTransaction[]>;

  /** Whether the transaction is in the list of contradictions, however old it is. */
  abstract isContradiction(key: TxKey): Promise<boolean>;

  /** Stuck slips in the same order. At most {@link STUCK_COUNTED_MAX} slips are examined. */
  abstract slips(query: SlipQuery, limit: number): Promise<StuckSlip[]>;
}

/**
 * Writes down which transactions are owed or contradictions. The numbering of changes does it for nearly all of them
 * (`stuck` of {@link NumberLine}). Throws StoreUnavailable.
 */
export abstract class StuckNotes {
  /** Notes that a wallet's late answer contradicts the recorded answer. Repeats change nothing. */
  abstract contradicted(key: TxKey): Promise<void>;

  /**
   * Closes the contradiction of a transaction, with an audit entry in the same database transaction. It is noted again
   * if the wallet contradicts itself again. `false`: there is none, and nothing was written. If StoreUnavailable is
   * thrown, both may have been stored.
   */
  abstract close(key: TxKey, audit: NewAuditEntry): Promise<boolean>;

  /**
   * Examines some changes of one merchant that a replica of an older release numbered.
   *
   * @returns whether more may be left.
   */
  abstract catchUp(): Promise<boolean>;

  /** Whether every numbered change was examined. */
  abstract isComplete(): Promise<boolean>;
}

export interface StuckSum {
  readonly count: number;
  readonly sumMinor: bigint;
}

export interface OpenSums {
  readonly merchantId: number;
  /** One sum for each age, of the transactions that have at least this age. */
  readonly ages: readonly StuckSum[];
  /** The same sums of the kind `retrying` alone. */
  readonly retrying: readonly StuckSum[];
  /** The same sums of the kind `unanswered` alone. */
  readonly unanswered: readonly StuckSum[];
}

export interface StuckSums {
  readonly merchantId: number;
  readonly kind: StuckKind;
  readonly players: number;
  /** One sum for each age, of the transactions that have at least this age. */
  readonly ages: readonly StuckSum[];
  /** Whether there are more than {@link STUCK_COUNTED_MAX}, and only the oldest were counted. */
  readonly more: boolean;
}

export interface StuckQuery {
  /**
   * `pending` lists every transaction that is pending past its horizon, also the credits of `unanswered`. `open` lists
   * every pending transaction whose first call has ended, stuck or not.
   */
  readonly kind: Exclude<StuckKind, "slip" | "unanswered"> | "open";
  readonly merchantIds: readonly number[];
  /** Only what was created at least this long ago, in ms. `retrying` and `open` list every age. */
  readonly olderThanMs: number;
  /** See {@link StuckMoney.sums}. */
  readonly horizonMs: number;
  /** The position behind which the list goes on, which is in the first merchant of `merchantIds`. */
  readonly after?: StuckPosition | undefined;
}

export type SlipQuery = Omit<StuckQuery, "kind" | "horizonMs">;

export interface StuckPosition {
  /** The creation of the transaction or slip. Of `retrying` and `open`: when the transaction is sent next. */
  readonly at: DbTime;
  /** The number of the transaction's row, or the slip's id. */
  readonly id: string;
}

export type StuckTransaction = ListedTransaction;

export interface StuckSlip {
  readonly merchantId: number;
  readonly slipId: string;
  /** The sportsbook's own id of its first bet. */
  readonly firstTxId: string;
  readonly playerId: PlayerId;
  readonly currency: Currency;
  /** The sum of its bets. */
  readonly amountMinor: bigint;
  readonly status: "running" | "accepted" | "failed";
  readonly createdAt: DbTime;
}
