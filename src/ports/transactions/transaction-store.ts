import type { Content, DbTime, LeaseToken, RowChange, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";

/**
 * The durable rows of wallet transactions.
 *
 * Every method is one autocommit statement over 1 to {@link BATCH_MAX} lines, no key twice in a batch, and answers in the order
 * of its lines. A line that the database refuses for its own content gets a {@link StoreFault}; its neighbours are not
 * affected. When the outcome is unknown (the connection broke), the implementation finds it out by the tokens before it
 * answers; it throws (StoreUnavailable) only when it could not, and then the caller knows nothing. Time is the database's.
 */
export abstract class TransactionStore {
  /** The rows as they are now, read where every acknowledged write is seen. Void rows too. */
  abstract read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]>;

  /** Inserts what isn't there. Who finds a row gets it as it is, unchanged. */
  abstract claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]>;

  /**
   * Starts a further attempt on a row: pending, or failed (a credit sent again, then pending and `openedAt` now). Applies while the
   * row is as it was seen and no lease is live; then the attempt is counted and logged, `silentAt` takes over the end of a
   * dead lease, and the row as it now is comes back. `undefined`: someone was faster.
   */
  abstract takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /** Makes a void, unmarked row the content's own, as a claim would have. `undefined`: someone was faster. */
  abstract adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Sets `reversedBy` on the reversed row where it is null, never touching its lease or token, and makes the void
   * reversal pending without a lease (created now; due when the reversed row's lease ends, or at once; a rollback never), in one
   * statement. A void original becomes `unseenOriginal` of this reversal, created now: another reversal may have made its row, days ago, and
   * it counts at its creation once it is real. One that has become real since it was read, and that the reversal contradicts
   * (`referenceMismatch`), is not marked. `false`: another reversal owns the mark, or this one is void no longer.
   */
  abstract mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Ends an attempt: applies while the row is pending, its token is the line's and its lease is not given back. With
   * `reversed`, only while that row still has the status seen, and its change applies in the same statement (a dead lease of it is
   * taken as an unanswered attempt and given back under this line's token: with its own, that attempt's late settle would pass for
   * applied). That change may leave the row pending and only make it due. `false`: not applied. Sending the same line again answers the same.
   */
  abstract settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Makes a row due `inMs` from now, without a lease: pending (again, when it had failed). Applies while it is as seen and no lease is
   * live. There is no other path to the wallet than the worker's or a repeat's take-over.
   */
  abstract schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Merchants with a row whose due time has passed, leased or not, each once and in no order. One cheap statement for all merchants: it
   * tells whom {@link due} is worth asking for.
   */
  abstract merchantsDue(): Promise<number[]>;

  /** Keys of rows that are due and not leased, the longest due first, at most `limit` per merchant. */
  abstract due(merchantIds: readonly number[], limit: number): Promise<TxKey[]>;
}

/** The largest batch of one statement. */
export const BATCH_MAX = 256;

/** The database refused this line for its content; it will refuse it again. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

export type LineResult<T> = T | StoreFault;

export interface ClaimLine {
  readonly content: Content;
  readonly token: LeaseToken;
  /** `leased`: pending with its first attempt begun. `due`: pending, for the worker to send now. `void`: not a transaction yet. */
  readonly as: "leased" | "due" | "void";
  /** Length of the lease. */
  readonly leaseMs: number;
}

/** `mine`: inserted by this line. The row is as the database has it now, either way. */
export interface Claimed {
  readonly mine: boolean;
  readonly row: Transaction;
}

export interface TakeOverLine {
  readonly key: TxKey;
  /** The fence: status, token and reversedBy as they were read. */
  readonly seen: Pick<Transaction, "status" | "leaseToken" | "reversedBy">;
  readonly token: LeaseToken;
  readonly leaseMs: number;
}

export interface AdoptLine extends ClaimLine {
  readonly seen: LeaseToken;
}

export interface MarkLine {
  /** A void row of a refund or rollback, and its token as read. */
  readonly key: TxKey;
  readonly seen: LeaseToken;
  /** The original it reverses, at the same merchant. */
  readonly reversed: TxId;
}

export interface ScheduleLine {
  readonly key: TxKey;
  /** As of a take-over: who didn't see a reversal's mark may not re-open what that reversal holds. */
  readonly seen: TakeOverLine["seen"];
  readonly inMs: number;
}

export interface SettleLine {
  readonly key: TxKey;
  readonly token: LeaseToken;
  readonly change: RowChange;
  readonly attempt: Attempt;
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: RowChange | null };
}

/** One wallet call, as the attempt log keeps it. */
export interface Attempt {
  /** 1, 2, 3 ... */
  readonly n: number;
  /** When it began. */
  readonly at: DbTime;
  readonly durationMs: number;
  /** null without a reply. */
  readonly httpStatus: number | null;
  readonly result: AttemptResult;
  /** X-Request-Id of the call; null when no call was made. */
  readonly requestId: string | null;
}

/** How a wallet call ended: an answer, or the cause of silence. */
export type AttemptResult = "accepted" | "rejected" | SilenceCause;
export type SilenceCause = "timeout" | "connect" | "tls" | "http_5xx" | "not_json" | "no_ok" | "no_balance" | "too_large";
