/**
 * A wallet transaction: what its row stores, and what its callers are told (docs/specification/transactions.md and
 * docs/specification/reversals.md). The state machine is pure. decide.ts decides what a request may do with the row
 * that exists. settle.ts decides how the wallet's answer changes the row. The rest of the service exists to call these
 * two files.
 *
 * An *original* is a bet or a win. A *reversal* is a refund (of a bet) or a rollback (of a win); the row that it names
 * is the *reversed* row. An original has at most one reversal for ever: the one that its `reversedBy` names.
 */

import type { Carried } from "../values/carried.ts";
import type { PlayerId, ProviderCode, TxId, TxKey } from "../values/identifiers.ts";
import type { Labels } from "../values/labels.ts";
import type { Currency } from "../values/money.ts";
import { type WholeMs, wholeMs } from "../values/whole-ms.ts";

export type Action = "bet" | "win" | "refund" | "rollback";

/** A game in a transaction: its codes for the API, and its row number for storage. */
export interface GameRef {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: ProviderCode;
}

/** The bet that a win names. */
export interface BetRef {
  readonly txId: TxId;
  /** Whether the win is the only settlement of this bet. */
  readonly settles: boolean;
}

/** What a tx_id means. A repeat must have the same content, even if the settings have changed since. */
export interface Content extends TxKey, Carried {
  readonly action: Action;
  readonly playerId: PlayerId;
  /** The amount in minor units, above zero. */
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly game: GameRef;
  /** The id of the reversed transaction; null for a bet or win. */
  readonly refTxId: TxId | null;
  /** The bet that a win names; absent: the transaction names no bet. */
  readonly bet?: BetRef;
  /** What the money of a bet or win is for. A repeat may have other labels, so they are not compared. A void row has none. */
  readonly labels?: Labels | undefined;
  /**
   * Whether the round ends when this transaction is a success; absent: it does not. The row and the callbacks have the
   * first request's value. It is not compared, because a repeat may learn later that the round has ended.
   */
  readonly roundEnded?: true;
}

/** A request: the content of its transaction, and conditions that are not content. A repeat may have other ones. */
export interface TransactionRequest extends Content {
  /** A refund is refused if its bet is settled, unless the refund has begun before. */
  readonly unlessSettled?: boolean;
  /** The service resends the rollback that this request begins, like a credit. */
  readonly deliver?: boolean;
  /** The request has no round, and its round is the promotion that its label names. */
  readonly roundless?: boolean;
  /** A new bet is refused if its round has ended. */
  readonly unlessEnded?: boolean;
  /** The win of the same Play. It is stored together with this bet. */
  readonly win?: WinOfPlay;
}

/** The win of a Play names the Play's bet. */
export type WinOfPlay = Content & { readonly bet: BetRef };

/**
 * The token of one attempt: 16 random bytes in hex, new for each attempt. Only the process that has this token may
 * write the attempt's result.
 */
export type LeaseToken = string;

/** Milliseconds since 1970 by the database's clock. */
export type DbTime = number;

/**
 * The value of `nextAt` for a pending row that the worker never sends: a bet, a rollback, or a credit past its horizon.
 */
export const NEVER: DbTime = 9_000_000_000_000_000;

interface Bookkeeping {
  /** The number of attempts that have begun, also one that is in flight. 0: the transaction was never sent. */
  readonly attempts: number;
  readonly leaseToken: LeaseToken;
  /**
   * When the lease of the running attempt ends; null: no attempt runs. If this time has passed, the attempt's process
   * died, or has not recorded the answer yet.
   */
  readonly leaseUntil: DbTime | null;
  /** The end of the last attempt that got no answer; null: there was no such attempt. */
  readonly silentAt: DbTime | null;
  /**
   * When the worker sends the transaction (again), or {@link NEVER}. null: this is not known, because the row is
   * settled or its first call is in flight. A pending rollback with another value than NEVER is delivered.
   */
  readonly nextAt: DbTime | null;
  /** The only reversal of this original that may reach the wallet; null: no reversal has set this mark. */
  readonly reversedBy: TxId | null;
  /** The win that is the only settlement of this bet; null: no win has set this mark. A win of 0 has no row. */
  readonly settledBy: TxId | null;
  /** The win of the same Play, which waits until this bet is a success; null: the transaction is no bet of a Play. */
  readonly playWin: TxId | null;
  readonly resolvedBy: ResolvedBy;
  readonly createdAt: DbTime;
  /**
   * When the row last became pending: at its creation, or when a failed credit was opened again. The resend horizon
   * begins at this time.
   */
  readonly openedAt: DbTime;
  readonly updatedAt: DbTime;
  /** When this copy of the row was read. */
  readonly readAt: DbTime;
}

/**
 * What ended the transaction. null: its first call ended it, or it has not ended yet. `resend`: a later call ended it.
 * `refund:...`, `rollback:...`: that reversal. `manual`: support. A transaction that was opened again keeps its old
 * value until it ends again. `sealed`: the row is void for ever, see {@link isSealed}.
 */
export type ResolvedBy = null | "resend" | "sealed" | `refund:${string}` | `rollback:${string}` | "manual";

export type State =
  /**
   * The row is not a transaction yet. It is a reversal that has not marked its original, an original that only its
   * reversal has named, or a win that waits for the bet of its Play. No list and no sum contains it.
   */
  | { readonly status: "void" }
  /** The transaction is stored, and the wallet may have been called. It becomes success or failed later. */
  | { readonly status: "pending" }
  /**
   * The wallet applied the transaction. This is final. `balanceMinor` is the reply's balance; null: it is unknown or
   * exceeds the database column. `rejected` is the error with which the transaction had failed before the wallet
   * accepted its reversal. Its callers get that error for ever (docs/specification/transactions.md#tx-rejection-final).
   */
  | { readonly status: "success"; readonly balanceMinor: bigint | null; readonly rejected?: string }
  /**
   * The wallet refused the transaction. This is final, except for a credit that is sent again, and for an original
   * whose reversal is accepted. `balanceMinor` is the balance of the rejection; absent or null: the wallet
   * sent none.
   */
  | { readonly status: "failed"; readonly error: string; readonly balanceMinor?: bigint | null };

export type Status = State["status"];

/** A stored row. */
export type Transaction = Content & Bookkeeping & State;

export const isReversal = (action: Action): action is "refund" | "rollback" =>
  action === "refund" || action === "rollback";
/**
 * Credits are owed to the player. The service sends a credit again until the wallet answers. A repeat of the request
 * opens a rejected credit again.
 */
export const isCredit = (action: Action): action is "win" | "refund" => action === "win" || action === "refund";

/**
 * Whether this void row stands for an id that was reversed before anything came under it. Its content has no meaning,
 * and nothing is ever sent for it. `reversedBy` is the id of the request that reversed it, which has no row.
 */
export const isSealed = (row: Transaction): boolean => row.status === "void" && row.resolvedBy === "sealed";

/** Whether this void row is the win of a Play, whose content is known. Other void rows name no bet. */
export const isOfPlay = (row: Transaction): boolean => row.status === "void" && row.bet !== undefined;

/** Whether this row is a win that becomes a transaction when the bet of its Play is a success. */
export const isWaiting = (row: Transaction): boolean => isOfPlay(row) && row.reversedBy === null;

/** Whether the service resends this pending row by itself: a credit, or a rollback that its provider left to it. */
export const isDelivered = (row: Transaction): boolean =>
  isCredit(row.action) || (row.action === "rollback" && row.nextAt !== null && row.nextAt !== NEVER);

/** Whether a call of this row may be in flight. */
export const isInFlight = (row: Transaction): boolean => row.leaseUntil !== null && row.leaseUntil > row.readAt;

/** Whether the time has come to send this row (again). */
export const isDue = (row: Transaction): boolean => row.nextAt !== null && row.nextAt <= row.readAt;

/**
 * The end of the last attempt without an answer. Such an attempt was silent, or its process died. null: every attempt
 * was answered.
 */
export function lastUnansweredAt(row: Transaction): DbTime | null {
  const died = row.leaseUntil !== null && row.leaseUntil <= row.readAt ? row.leaseUntil : null;
  if (died === null) return row.silentAt;
  return row.silentAt === null ? died : Math.max(died, row.silentAt);
}

/**
 * The milliseconds until a late copy of this row's last unanswered attempt can no longer reach the wallet; 0: no late
 * copy can reach it now.
 */
export function quietInMs(row: Transaction, quietPeriodMs: number): WholeMs {
  const at = lastUnansweredAt(row);
  return wholeMs(at === null ? 0 : Math.max(0, at + quietPeriodMs - row.readAt));
}

/** Whether a late copy of this row's last unanswered attempt can no longer reach the wallet. */
export const isQuiet = (row: Transaction, quietPeriodMs: number): boolean => quietInMs(row, quietPeriodMs) === 0;

interface Told {
  readonly txId: TxId;
  /** true: the result was stored before the call, and the call neither caused it nor waited for it. */
  readonly replayed?: true;
}

/** The answer that a caller gets, taken from a row. */
export type Answer =
  | ({
      readonly status: "success";
      readonly balanceMinor: bigint | null;
      /** The balance before the transaction; absent: it is not known. */
      readonly balanceBeforeMinor?: bigint;
    } & Told)
  | ({ readonly status: "failed"; readonly error: string; readonly balanceMinor?: bigint } & Told)
  | { readonly status: "pending"; readonly txId: TxId };

/** The answer that a row's callers get. For a void row the answer is pending, because its result is not known yet. */
export function answerOf(row: TxKey & State & Partial<Moved>): Answer {
  if (row.status === "success" && row.rejected !== undefined)
    return { status: "failed", txId: row.txId, error: row.rejected };
  if (row.status === "success") {
    const balanceBeforeMinor = balanceBefore(row, row.balanceMinor);
    const before = balanceBeforeMinor === undefined ? {} : { balanceBeforeMinor };
    return { status: "success", txId: row.txId, balanceMinor: row.balanceMinor, ...before };
  }
  if (row.status === "failed") {
    const balance = row.balanceMinor == null ? {} : { balanceMinor: row.balanceMinor };
    return { status: "failed", txId: row.txId, error: row.error, ...balance };
  }
  return { status: "pending", txId: row.txId };
}

type Moved = Pick<Transaction, "action" | "amountMinor" | "attempts">;

/**
 * The balance before a success. It is known only if the first call was accepted: a wallet may answer a later call with
 * a balance that other transactions have changed since (docs/specification/provider-api.md#prov-balance-before).
 */
function balanceBefore(
  { action, amountMinor, attempts }: Partial<Moved>,
  balanceMinor: bigint | null,
): bigint | undefined {
  if (balanceMinor === null || attempts !== 1 || amountMinor === undefined) return undefined;
  return action === "bet" || action === "rollback" ? balanceMinor + amountMinor : balanceMinor - amountMinor;
}

/** The wallet's answer to a call. Silence is one of the answers, because the money may have moved. */
export type WalletAnswer =
  | { readonly kind: "accepted"; readonly balanceMinor: bigint | null }
  /** `balanceMinor`: absent if the reply has no usable balance. */
  | { readonly kind: "rejected"; readonly error: string; readonly balanceMinor?: bigint }
  | { readonly kind: "silent" };

/** How a row changes when its attempt ends. */
export interface RowChange {
  readonly state: State;
  readonly resolvedBy: ResolvedBy;
  /** Whether the wallet gave no answer to the attempt. */
  readonly silent: boolean;
  /** The milliseconds until the row is sent again. `never`: only a repeat sends it again. null: the row is settled. */
  readonly next: WholeMs | "never" | null;
}
