import type { AttemptResult } from "../../../contract/wallet/results.ts";
import type {
  Content,
  DbTime,
  LeaseToken,
  RowChange,
  Status,
  Transaction,
} from "../../domain/transaction/transaction.ts";
import { carriedOf } from "../../domain/values/carried.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import type { Span } from "../tracing.ts";

/**
 * The durable rows of wallet transactions.
 *
 * Most methods are one autocommit statement for a batch of 1 to {@link BATCH_MAX} lines. A line is one entry of the
 * batch. No two lines of a batch have the same key. The method returns one result for each line, in the same order. If
 * the database refuses the content of a line, this line gets a {@link StoreFault}, and the other lines are not
 * affected. If another session has locked a row of a line, this line gets a {@link LineLocked}, and the lines of other
 * merchants are not affected. If the connection breaks, the implementation reads the tokens to find out which lines
 * were applied. It throws StoreUnavailable only if this read fails, too. Then any of the lines may have been applied.
 * All times are the database's.
 */
export abstract class TransactionStore {
  /** The rows as they are now, also void rows. The read sees every acknowledged write. */
  abstract read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Inserts rows that do not exist yet. A row that exists is returned unchanged. A line with `unlessEnded` inserts
   * nothing if its round has ended: it gets a {@link RoundOver}. The same statement checks this and inserts the row.
   */
  abstract claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]>;

  /**
   * Inserts bets and wins of Plays, as {@link claim} does. All lines are one statement, so a bet and its win in one batch
   * are inserted together. The row of a bet names its win (`playWin`), and the void row of a win names its bet.
   */
  abstract claimPlay(lines: readonly PlayClaimLine[]): Promise<LineResult<Claimed>[]>;

  /**
   * Starts a further attempt on a pending row, or on a failed credit, which becomes pending with `openedAt` now. It
   * applies only if the row is still as it was read (`seen`) and has no live lease. Then it counts and logs the
   * attempt, sets `silentAt` to the end of a dead lease (one that expired before a result was recorded), and returns
   * the row as it is now. `undefined`: the row has changed since it was read.
   */
  abstract takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Writes the content into a void row that no reversal has marked. The row is then the same as after a claim.
   * `undefined`: the row has changed since it was read.
   *
   * If the content names a bet, the bet must be a success of the same player and currency, and must have no mark
   * `reversedBy`. If the win settles the bet, the bet must not be settled, and its `settledBy` is set in the same
   * statement. Otherwise nothing is written, and the result is `undefined`. A line with `unlessEnded` whose round has
   * ended gets a {@link RoundOver}. `playWin` of a bet's line is written, too.
   */
  abstract adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Writes the content of a Play's win into a void row that no reversal has marked, and that no Play has written. The
   * row stays void, and names its bet. `undefined`: the row has changed since it was read.
   */
  abstract wait(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]>;

  /**
   * Sets `reversedBy` of the reversed row if it is null, and makes the void reversal pending, in one statement. The
   * reversed row keeps its lease and its token. The reversal has no lease, and its creation time is now. A refund is
   * due when the reversed row's lease ends, or at once if there is none. A rollback is never due, unless its line says
   * that it is delivered.
   *
   * A void original, unless it is the win of a Play, gets the content that `unseenOriginal` computes from this reversal. Its creation time becomes now,
   * because another reversal may have written its row days ago, and reports count a transaction at its creation time.
   * The original may have become a real transaction since it was read. Then it is not marked if the reversal
   * contradicts it (`referenceMismatch`). `false`: another reversal owns the mark, or this reversal is no longer void,
   * or the bet is settled and the line forbids this.
   */
  abstract mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Sets `settledBy` of a bet for a win of amount 0, which has no row. The bet must be as {@link adopt} demands it. A
   * repeat of the same line returns the same result. `false`: the bet does not permit it.
   */
  abstract settleBet(lines: readonly SettleBetLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Makes a void original void for ever: sets its `reversedBy` to an id that has no row, and `resolvedBy` to `sealed`.
   * It applies only if no mark is set and the row is as it was read. A repeat of the same line returns the same result.
   * `false`: the row has changed since it was read.
   */
  abstract seal(lines: readonly SealLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Ends an attempt. It applies only if the row is pending, has the line's token, and still has a lease. A repeat of
   * the same line returns the same result. `false`: not applied.
   *
   * With `reversed`, it applies only if the reversed row still has the status that was read. The reversed row changes
   * in the same statement. The change may leave it pending and only set its due time. A dead lease of the reversed row
   * counts as an unanswered attempt. The lease is ended, and the row gets this line's token. If the row kept the old
   * token, a late settle of that attempt would seem to have been applied.
   */
  abstract settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Ends an attempt of a Play's bet that the wallet has accepted, and makes its win pending and leased, in one
   * statement. If the win settles the bet, the bet's `settledBy` is set, too. It applies only if the bet is as
   * {@link settle} demands it, if the void row is as it was read, and if neither row has a mark `reversedBy`. A repeat of the same line
   * returns the same result. `false`: nothing was written.
   */
  abstract settlePlay(lines: readonly PlaySettleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * Makes a row pending and due `inMs` from now, without a lease. This also makes a failed row pending again. It
   * applies only if the row is still as it was read and has no live lease. It calls no wallet: a worker or a repeat
   * must take the row over to do that. If a line that saw the same row has scheduled it before, the row stays as it is,
   * and the result is `true`.
   */
  abstract schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]>;

  /**
   * The merchants with a row whose due time has passed, with or without a lease. Each merchant is listed once, in no
   * order. It is one cheap statement for all merchants, so that {@link due} is called only for merchants that may have
   * due rows.
   */
  abstract merchantsDue(): Promise<number[]>;

  /**
   * The keys of rows that are due and have no live lease, at most `limit` per merchant. The rows with the oldest due
   * time come first.
   */
  abstract due(merchantIds: readonly number[], limit: number): Promise<TxKey[]>;
}

/** The largest batch of one statement. */
export const BATCH_MAX = 256;

/** The database refused the content of this line, and would refuse it again. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

/**
 * Another session has locked a row of this line, so the line was not applied. The caller may send the same line again.
 */
export class LineLocked extends StoreFault {}

/** The row was not inserted, because its round has ended. */
export class RoundOver extends StoreFault {}

export type LineResult<T> = T | StoreFault;

/** A line of a batch that changes rows. */
interface Traced {
  /** The span that gets the batch as a step; absent: the transaction is not traced. */
  readonly span?: Span | undefined;
}

export interface ClaimLine extends Traced {
  readonly content: Content;
  readonly token: LeaseToken;
  /**
   * `leased`: pending, its first attempt has begun. `due`: pending, and the worker sends it now. `void`: not a
   * transaction yet.
   */
  readonly as: "leased" | "due" | "void";
  /** Length of the lease, in ms. */
  readonly leaseMs: WholeMs;
  /** Whether nothing is inserted if the round has ended; absent: the round is not looked at. */
  readonly unlessEnded?: boolean;
}

/** The bet of a Play, with `playWin`, or its win, which is void and names its bet. */
export interface PlayClaimLine extends ClaimLine {
  /** The win of the bet; absent: the line is the win. */
  readonly playWin?: TxId | undefined;
}

/** `mine`: whether this line inserted the row. In both cases `row` is the row as it is now. */
export interface Claimed {
  readonly mine: boolean;
  readonly row: Transaction;
}

/** The row that a claim inserts. An adoption gives a void row the same fields. `now`: the time of the statement. */
export function claimedRow({ content, token, as, leaseMs }: ClaimLine, now: DbTime): Transaction {
  const leased = as === "leased";
  return {
    merchantId: content.merchantId,
    txId: content.txId,
    action: content.action,
    playerId: content.playerId,
    amountMinor: content.amountMinor,
    currency: content.currency,
    game: content.game,
    ...carriedOf(content),
    refTxId: content.refTxId,
    ...(content.labels !== undefined && as !== "void" && { labels: content.labels }),
    ...(content.roundEnded === true && as !== "void" && { roundEnded: true }),
    status: as === "void" ? "void" : "pending",
    attempts: leased ? 1 : 0,
    leaseToken: token,
    leaseUntil: leased ? now + leaseMs : null,
    silentAt: null,
    nextAt: as === "due" ? now : null,
    reversedBy: null,
    settledBy: null,
    playWin: null,
    resolvedBy: null,
    createdAt: now,
    openedAt: now,
    updatedAt: now,
    readAt: now,
  };
}

/** The row that a claim of a Play inserts. */
export const claimedPlay = (line: PlayClaimLine, now: DbTime): Transaction => ({
  ...claimedRow(line, now),
  ...(line.content.bet && { bet: line.content.bet }),
  ...(line.content.labels && { labels: line.content.labels }),
  ...(line.content.roundEnded && { roundEnded: true }),
  playWin: line.playWin ?? null,
});

export interface TakeOverLine extends Traced {
  readonly key: TxKey;
  /** The row's fields as they were read. The statement applies only if they have not changed. */
  readonly seen: Pick<Transaction, "status" | "leaseToken" | "reversedBy">;
  readonly token: LeaseToken;
  readonly leaseMs: WholeMs;
}

export interface AdoptLine extends ClaimLine {
  /** The win of the same Play; absent: the transaction is no bet of a Play. */
  readonly playWin?: TxId | undefined;
  readonly seen: LeaseToken;
}

export interface MarkLine extends Traced {
  /** The void row of a refund or rollback, and its token as it was read. */
  readonly key: TxKey;
  readonly seen: LeaseToken;
  /** The original that the refund or rollback names. It belongs to the same merchant. */
  readonly reversed: TxId;
  /** Whether the mark is refused if the original is a settled bet; absent: it is not. */
  readonly unlessSettled?: boolean;
  /** Whether the service resends a rollback by itself; absent: it does not. */
  readonly deliver?: boolean;
}

export interface SealLine extends Traced {
  readonly key: TxKey;
  readonly seen: LeaseToken;
  /** The id of the request that reverses the original. */
  readonly by: TxId;
}

export interface SettleBetLine extends Traced {
  /** The bet. */
  readonly key: TxKey;
  /** The win of amount 0. It belongs to the same merchant. */
  readonly win: Pick<Content, "txId" | "playerId" | "currency">;
}

export interface ScheduleLine extends Traced {
  readonly key: TxKey;
  /**
   * The row's fields as they were read, as for a take-over. Without reversedBy, a caller that has not seen a reversal's
   * mark could re-open a row that the reversal holds.
   */
  readonly seen: TakeOverLine["seen"];
  /** The time until the row is due, in ms. */
  readonly inMs: WholeMs;
}

export interface SettleLine extends Traced {
  readonly key: TxKey;
  readonly token: LeaseToken;
  readonly change: RowChange;
  readonly attempt: Attempt;
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: RowChange | null };
}

export interface PlaySettleLine extends SettleLine {
  readonly win: {
    readonly txId: TxId;
    /** The token of the void row as it was read. */
    readonly seen: LeaseToken;
    /** Whether the win settles the bet. */
    readonly settles: boolean;
    /** The token of the win's lease, and its length in ms. */
    readonly token: LeaseToken;
    readonly leaseMs: WholeMs;
  };
}

/** One wallet call, as the attempt log keeps it. */
export interface Attempt {
  /** The attempt's number: 1, 2, 3 ... */
  readonly n: number;
  /** When the attempt began. */
  readonly at: WholeMs;
  readonly durationMs: WholeMs;
  /** The status of the wallet's reply; null when there was no reply. */
  readonly httpStatus: number | null;
  readonly result: AttemptResult;
  /** X-Request-Id of the call; null when the wallet was not called. */
  readonly requestId: string | null;
  /** The first 200 bytes of a reply that was neither accepted nor rejected, masked; absent: there is no such reply. */
  readonly replyStart?: string | undefined;
  /**
   * The code of a rejection, except of a bet; absent: the call was not rejected. A rejected bet is never sent again, so
   * the row keeps its code, and its line need not be longer.
   */
  readonly error?: string | undefined;
}
