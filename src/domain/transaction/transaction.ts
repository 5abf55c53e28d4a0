/**
 * A wallet transaction: what its row holds, and what its callers are told of it
 * (docs/specification/transactions.md and docs/specification/reversals.md). The state machine is pure: decide.ts says
 * what a request may do with the row that exists, settle.ts what the wallet's answer makes of it. Everything else in
 * this service exists to call these two.
 *
 * An *original* is a bet or a win. A *reversal* is a refund (of a bet) or a rollback (of a win); the row that it names
 * is the *reversed* row. An original has at most one reversal for ever: the one that its `reversedBy` names.
 */
import type { PlayerId, ProviderCode, TxId, TxKey } from "../values/identifiers.ts";
import type { Currency } from "../values/money.ts";

export type Action = "bet" | "win" | "refund" | "rollback";

/** A game as a transaction names it: codes for the wire, row numbers for storage. */
export interface GameRef {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: ProviderCode;
}

/** What a tx_id stands for. A repeat must carry the same content, whatever else has changed since. */
export interface Content extends TxKey {
  readonly action: Action;
  readonly playerId: PlayerId;
  readonly roundId: string;
  /** Minor units, above zero. */
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly game: GameRef;
  /** The reversed transaction; null on a bet or win. */
  readonly refTxId: TxId | null;
}

/**
 * The fence of one attempt: 16 random bytes in hex, new for each attempt. Only its holder may write the attempt's
 * result.
 */
export type LeaseToken = string;

/** Milliseconds since 1970 by the database's clock. */
export type DbTime = number;

/** `nextAt` of a pending row that the worker never sends (a bet, a rollback, a credit past its horizon). */
export const NEVER: DbTime = 9_000_000_000_000_000;

interface Bookkeeping {
  /** Attempts begun, the one in flight included. 0: never sent. */
  readonly attempts: number;
  readonly leaseToken: LeaseToken;
  /** While an attempt runs: when its lease ends. In the past: its process died, or has not recorded its answer yet. */
  readonly leaseUntil: DbTime | null;
  /** End of the last attempt that got no answer. */
  readonly silentAt: DbTime | null;
  /**
   * When the worker sends it (again); {@link NEVER}; null when that is not known (settled, or the first call is in
   * flight).
   */
  readonly nextAt: DbTime | null;
  /** The one reversal of this original that may reach the wallet. */
  readonly reversedBy: TxId | null;
  readonly resolvedBy: ResolvedBy;
  readonly createdAt: DbTime;
  /**
   * When it last became pending: its creation, or the re-opening of a failed credit. The resend horizon counts from
   * here.
   */
  readonly openedAt: DbTime;
  readonly updatedAt: DbTime;
  /** When this copy of the row was read. */
  readonly readAt: DbTime;
}

/** null: its first call; `resend`: a later call; else the reversal, or support, that closed it. */
export type ResolvedBy = null | "resend" | `refund:${string}` | `rollback:${string}` | "manual";

export type State =
  /**
   * Not a transaction yet: a reversal that has not won its mark, or an original that only its reversal has named. In no
   * list or sum.
   */
  | { readonly status: "void" }
  /** Durable; the wallet may have been called. It becomes success or failed. */
  | { readonly status: "pending" }
  /**
   * The wallet applied it. Final. `balanceMinor` is the reply's balance; null when it is unknown or exceeds the
   * database column.
   * `rejected` is the error that it had failed with before the wallet accepted its reversal; its callers get that error
   * for ever (docs/specification/transactions.md#tx-rejection-final).
   */
  | { readonly status: "success"; readonly balanceMinor: bigint | null; readonly rejected?: string }
  /**
   * The wallet refused it. Final, except for a credit that is sent again and for an original whose reversal is
   * accepted.
   */
  | { readonly status: "failed"; readonly error: string };

export type Status = State["status"];

/** A stored row. */
export type Transaction = Content & Bookkeeping & State;

export const isReversal = (action: Action): action is "refund" | "rollback" =>
  action === "refund" || action === "rollback";
/**
 * Credits are owed to the player: the service sends them again until the wallet answers, and a repeat re-opens a
 * rejected one.
 */
export const isCredit = (action: Action): action is "win" | "refund" => action === "win" || action === "refund";

/** Whether a call of this row may be in flight. */
export const isInFlight = (row: Transaction): boolean => row.leaseUntil !== null && row.leaseUntil > row.readAt;

/** Whether the time to send it again has come. */
export const isDue = (row: Transaction): boolean => row.nextAt !== null && row.nextAt <= row.readAt;

/**
 * End of the last attempt without an answer: a silent one, or one that died with its process. null when every attempt
 * was answered.
 */
export function lastUnansweredAt(row: Transaction): DbTime | null {
  const died = row.leaseUntil !== null && row.leaseUntil <= row.readAt ? row.leaseUntil : null;
  if (died === null) return row.silentAt;
  return row.silentAt === null ? died : Math.max(died, row.silentAt);
}

/**
 * Milliseconds until a late copy of this row's last unanswered attempt can no longer reach the wallet; 0 when none can.
 */
export function quietInMs(row: Transaction, quietPeriodMs: number): number {
  const at = lastUnansweredAt(row);
  return at === null ? 0 : Math.max(0, at + quietPeriodMs - row.readAt);
}

/** Whether a late copy of this row's last unanswered attempt can no longer reach the wallet. */
export const isQuiet = (row: Transaction, quietPeriodMs: number): boolean => quietInMs(row, quietPeriodMs) === 0;

/** The answer to a caller, taken from a row. */
export type Answer =
  | { readonly status: "success"; readonly txId: TxId; readonly balanceMinor: bigint | null }
  | { readonly status: "failed"; readonly txId: TxId; readonly error: string }
  | { readonly status: "pending"; readonly txId: TxId };

/** The answer that the row gives to its callers. A void row answers pending: nothing about it is known yet. */
export function answerOf(row: TxKey & State): Answer {
  if (row.status === "success" && row.rejected !== undefined)
    return { status: "failed", txId: row.txId, error: row.rejected };
  if (row.status === "success") return { status: "success", txId: row.txId, balanceMinor: row.balanceMinor };
  if (row.status === "failed") return { status: "failed", txId: row.txId, error: row.error };
  return { status: "pending", txId: row.txId };
}

/** The wallet's answer to a call. Silence is an answer: the money may have moved. */
export type WalletAnswer =
  | { readonly kind: "accepted"; readonly balanceMinor: bigint | null }
  | { readonly kind: "rejected"; readonly error: string }
  | { readonly kind: "silent" };

/** How a row changes when its attempt ends. */
export interface RowChange {
  readonly state: State;
  readonly resolvedBy: ResolvedBy;
  /** Whether the attempt got no answer. */
  readonly silent: boolean;
  /** Milliseconds from now until it is sent again; `never`: only a repeat sends it again; null: it is settled. */
  readonly next: number | "never" | null;
}
