import type {
  Content,
  DbTime,
  LeaseToken,
  RowChange,
  Status,
  Transaction,
} from "../../domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";

/**
 * The durable rows of wallet transactions.
 *
 * Every method is one autocommit statement over 1 to {@link BATCH_MAX} lines, no key twice in a batch. It returns one
 * result per line, in the order of the lines. A line that the database refuses for its own content gets a
 * {@link StoreFault}; the other lines are not affected. When the connection breaks, the implementation finds out by the
 * tokens which lines were applied. It throws StoreUnavailable only when it cannot find out; then the caller knows
 * nothing. All times are the database's.
 */
export abstract class TransactionStore {
  /** The rows as they are now, void ones included. The read sees every acknowledged write. */
  abstract read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]>;

  /** Inserts rows that do not exist yet. A row that exists is returned unchanged. */
  abstract claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]>;

  /**
   * Starts a further attempt on a pending row, or on a failed credit, which becomes pending with `openedAt` now.
   * Applies while the row is as it was seen and no lease is live. Then it counts and logs the attempt, sets `silentAt`
   * to the end of a dead lease, and returns the row as it is now. `undefined`: the row has changed since it was seen.
   */
  abstract takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Writes the content into a void, unmarked row, as a claim would have. `undefined`: the row has changed since it was
   * seen.
   */
  abstract adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Sets `reversedBy` on the reversed row where it is null, and makes the void reversal pending, in one statement. The
   * reversed row keeps its lease and its token. The reversal has no lease, its creation time is now, and it is due when
   * the reversed row's lease ends, or at once; a rollback is never due.
   *
   * A void original gets the content of `unseenOriginal` of this reversal and is created now: another reversal may have
   * written its row days ago, and a transaction counts at its creation once it is real. An original that has become
   * real since it was read is not marked when the reversal contradicts it (`referenceMismatch`). `false`: another
   * reversal owns the mark, or this reversal is no longer void.
   */
  abstract mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Ends an attempt. Applies while the row is pending, its token is the line's, and its lease has not been given back.
   * Repeating the same line returns the same result. `false`: not applied.
   *
   * With `reversed`, it applies only while the reversed row still has the status seen, and that row changes in the same
   * statement. The change may leave the row pending and only make it due. A dead lease of the reversed row counts as an
   * unanswered attempt. It is given back and the row gets this line's token: with the old token, a late settle of that
   * attempt would look as if it had been applied.
   */
  abstract settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Makes a row pending and due `inMs` from now, without a lease; a failed row becomes pending again. Applies while the
   * row is as it was seen and no lease is live. It calls no wallet: only a take-over by the worker or a repeat does.
   */
  abstract schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Merchants with a row whose due time has passed, leased or not; each once, in no order. One cheap statement for all
   * merchants, so that {@link due} is called only for merchants that may have rows.
   */
  abstract merchantsDue(): Promise<number[]>;

  /** Keys of rows that are due and have no live lease, the longest due first, at most `limit` per merchant. */
  abstract due(merchantIds: readonly number[], limit: number): Promise<TxKey[]>;
}

/** The largest batch of one statement. */
export const BATCH_MAX = 256;

/** The database refused this line for its content, and would refuse it again. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

export type LineResult<T> = T | StoreFault;

export interface ClaimLine {
  readonly content: Content;
  readonly token: LeaseToken;
  /**
   * `leased`: pending, its first attempt begun. `due`: pending, and the worker sends it now. `void`: not a transaction
   * yet.
   */
  readonly as: "leased" | "due" | "void";
  /** Length of the lease, in ms. */
  readonly leaseMs: number;
}

/** `mine`: this line inserted the row. Either way `row` is the row as it is now. */
export interface Claimed {
  readonly mine: boolean;
  readonly row: Transaction;
}

/** The row that a claim inserts. An adoption makes the same row of a void one. `now`: the time of the statement. */
export function claimedRow({ content, token, as, leaseMs }: ClaimLine, now: DbTime): Transaction {
  const leased = as === "leased";
  return {
    merchantId: content.merchantId,
    txId: content.txId,
    action: content.action,
    playerId: content.playerId,
    roundId: content.roundId,
    amountMinor: content.amountMinor,
    currency: content.currency,
    game: content.game,
    refTxId: content.refTxId,
    status: as === "void" ? "void" : "pending",
    attempts: leased ? 1 : 0,
    leaseToken: token,
    leaseUntil: leased ? now + leaseMs : null,
    silentAt: null,
    nextAt: as === "due" ? now : null,
    reversedBy: null,
    resolvedBy: null,
    createdAt: now,
    openedAt: now,
    updatedAt: now,
    readAt: now,
  };
}

export interface TakeOverLine {
  readonly key: TxKey;
  /** The fence: status, token and reversedBy of the row as it was read. */
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
  /**
   * The fence of a take-over. Without reversedBy, a reader that missed a reversal's mark could re-open a row that the
   * reversal holds.
   */
  readonly seen: TakeOverLine["seen"];
  /** From now until the row is due, in ms. */
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
  /** null when there was no reply. */
  readonly httpStatus: number | null;
  readonly result: AttemptResult;
  /** X-Request-Id of the call; null when the wallet was not called. */
  readonly requestId: string | null;
  /** The first 200 bytes of a reply that was no answer, masked; absent: there are none. */
  readonly replyStart?: string | undefined;
}

/** How a wallet call ended: the answer, or the cause of its silence. */
export type AttemptResult = "accepted" | "rejected" | SilenceCause;
export type SilenceCause =
  | "timeout"
  | "connect"
  | "tls"
  | "http_5xx"
  | "not_json"
  | "no_ok"
  | "no_balance"
  | "too_large";
