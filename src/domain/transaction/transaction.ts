/**
 * The state machine of a wallet transaction. Pure: `decide` says what a request may do with the row that is there,
 * `settle` what a wallet's answer makes of it. Everything else in this service is there to call these two
 * (docs/specification/transactions.md and docs/specification/reversals.md).
 *
 * An *original* is a bet or a win. A *reversal* is a refund (of a bet) or a rollback (of a win); the row it names is
 * the *reversed* one. An original has at most one reversal for ever: the one its `reversedBy` names.
 */
import type { Refusal } from "../errors.ts";
import type { PlayerId, ProviderCode, TxId, TxKey } from "../values/identifiers.ts";
import type { Currency } from "../values/money.ts";
import { firstDifference } from "./idempotency.ts";
import { resendDelayMs } from "./resend.ts";

export type Action = "bet" | "win" | "refund" | "rollback";

/** A game as a transaction names it: codes for the wire, row numbers for storage. */
export interface GameRef {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: ProviderCode;
}

/** What a tx_id stands for. A repeat must carry the same, whatever else has changed since. */
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

/** The fence of one attempt: 16 random bytes in hex, new for each. Who holds it may write the attempt's result. */
export type LeaseToken = string;

/** Milliseconds since 1970 by the database's clock. */
export type DbTime = number;

/** `next_at` of a pending row that nobody resends by itself (a bet, a rollback, a credit past its horizon). */
export const NEVER: DbTime = 9_000_000_000_000_000;

interface Bookkeeping {
  /** Attempts begun, the one in flight included. 0: never sent. */
  readonly attempts: number;
  readonly leaseToken: LeaseToken;
  /** While an attempt runs: when its lease ends. Past: its process died, or has not recorded its answer yet. */
  readonly leaseUntil: DbTime | null;
  /** End of the last attempt that got no answer. */
  readonly silentAt: DbTime | null;
  /** When the worker sends it (again); {@link NEVER}; null where that isn't known (settled, or first call in flight). */
  readonly nextAt: DbTime | null;
  /** The one reversal of this original that may reach the wallet. */
  readonly reversedBy: TxId | null;
  readonly resolvedBy: ResolvedBy;
  readonly createdAt: DbTime;
  /** When it last became pending: creation, or the re-opening of a failed credit. The resend horizon counts from here. */
  readonly openedAt: DbTime;
  readonly updatedAt: DbTime;
  /** When this copy of the row was read. */
  readonly readAt: DbTime;
}

/** null: its first call; `resend`: a later one; else the reversal, or support, that closed it. */
export type ResolvedBy = null | "resend" | `refund:${string}` | `rollback:${string}` | "manual";

export type State =
  /** Not a transaction yet: a reversal that hasn't won its mark, or a bet never seen whose refund came. In no list or sum. */
  | { readonly status: "void" }
  /** Durable, the wallet may have been asked. Exits: success, failed. */
  | { readonly status: "pending" }
  /**
   * The wallet applied it. Final. `balanceMinor` is the reply's, null when unknown or beyond any column. `rejected`: the error it had
   * failed with before the wallet accepted its reversal; that stays its answer for ever (docs/specification/transactions.md#tx-rejection-final).
   */
  | { readonly status: "success"; readonly balanceMinor: bigint | null; readonly rejected?: string }
  /** The wallet refused it. Final, but for a credit that is sent again and an original whose reversal is accepted. */
  | { readonly status: "failed"; readonly error: string };

export type Status = State["status"];

/** A stored row. */
export type Transaction = Content & Bookkeeping & State;

export const isReversal = (action: Action): action is "refund" | "rollback" => action === "refund" || action === "rollback";
/** Credits: owed to the player, so resent until answered and re-opened after a rejection. */
export const isCredit = (action: Action): action is "win" | "refund" => action === "win" || action === "refund";
/** What a reversal reverses. */
const reversedAction = (action: "refund" | "rollback"): "bet" | "win" => (action === "refund" ? "bet" : "win");

/** The wallet's code for a reversal of something it never applied. */
export const NOT_FOUND = "TRANSACTION_NOT_FOUND";

/** A call of this row may be under way. */
export const isInFlight = (row: Transaction): boolean => row.leaseUntil !== null && row.leaseUntil > row.readAt;

/** Its time to be sent again has come. */
export const isDue = (row: Transaction): boolean => row.nextAt !== null && row.nextAt <= row.readAt;

/** End of the last attempt without an answer: silent, or dead with its process. null when every attempt was answered. */
export function lastUnansweredAt(row: Transaction): DbTime | null {
  const died = row.leaseUntil !== null && row.leaseUntil <= row.readAt ? row.leaseUntil : null;
  if (died === null) return row.silentAt;
  return row.silentAt === null ? died : Math.max(died, row.silentAt);
}

/** In how many ms a late copy of this row's last unanswered attempt can no longer reach the wallet. 0: it can't. */
function quietInMs(row: Transaction, quietPeriodMs: number): number {
  const at = lastUnansweredAt(row);
  return at === null ? 0 : Math.max(0, at + quietPeriodMs - row.readAt);
}

/** Whether a late copy of this row's last unanswered attempt can no longer reach the wallet. */
export const isQuiet = (row: Transaction, quietPeriodMs: number): boolean => quietInMs(row, quietPeriodMs) === 0;

/** The answer to a caller, out of a row. */
export type Answer =
  | { readonly status: "success"; readonly txId: TxId; readonly balanceMinor: bigint | null }
  | { readonly status: "failed"; readonly txId: TxId; readonly error: string }
  | { readonly status: "pending"; readonly txId: TxId };

/** What the caller is told of a row as it is. A void row is told as pending: nothing about it is known yet. */
export function answerOf(row: TxKey & State): Answer {
  if (row.status === "success" && row.rejected !== undefined) return { status: "failed", txId: row.txId, error: row.rejected };
  if (row.status === "success") return { status: "success", txId: row.txId, balanceMinor: row.balanceMinor };
  if (row.status === "failed") return { status: "failed", txId: row.txId, error: row.error };
  return { status: "pending", txId: row.txId };
}

/**
 * Whether a reply that came too late to be recorded says the opposite of what another attempt of the same transaction recorded: a wallet
 * that keeps the results of its tx_ids never does. A rejected credit is judged anew, so only its acceptance contradicts.
 */
export function contradicts(answered: WalletAnswer, row: Transaction): boolean {
  if (answered.kind === "accepted") return row.status === "failed" || (row.status === "success" && row.rejected !== undefined);
  return answered.kind === "rejected" && !isCredit(row.action) && row.status === "success" && row.rejected === undefined;
}

/** What to do with a request whose row exists. */
export type Decision =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  /** The row answers; the wallet is not called. */
  | { readonly do: "answer"; readonly answer: Answer }
  /** A call of this key is in flight somewhere: wait for its end, then decide again. */
  | { readonly do: "wait"; readonly key: TxKey; readonly until: DbTime }
  /** Take the row over (its token is the fence) and call the wallet. `quiet` matters to a reversal's settle. */
  | { readonly do: "call"; readonly row: Transaction; readonly quiet: boolean }
  /** A void bet or win that no reversal has marked: make it this request's own. */
  | { readonly do: "adopt"; readonly row: Transaction }
  /** A reversal whose mark is still free: try to win it. */
  | { readonly do: "mark"; readonly row: Transaction }
  /** Another reversal owns the mark: this request counts as a repeat of that one. */
  | { readonly do: "follow"; readonly owner: TxId };

const mismatch = (field: string): Decision => ({ do: "refuse", refusal: { code: "TRANSACTION_MISMATCH", field } });
const answer = (row: Transaction): Decision => ({ do: "answer", answer: answerOf(row) });
const wait = (row: Transaction): Decision => ({ do: "wait", key: row, until: row.leaseUntil ?? row.readAt });

/**
 * A bet or win that is already there.
 *
 * @param asked - the request's content; null when the worker asks (the row is its own request).
 * @param reversal - the row that `row.reversedBy` names; undefined when there is none.
 */
export function decideOriginal(row: Transaction, asked: Content | null, reversal: Transaction | undefined, quietPeriodMs: number): Decision {
  if (row.status === "void") return decideVoid(row, asked);
  const field = asked === null ? undefined : firstDifference(row, asked);
  if (field !== undefined) return mismatch(field);
  if (row.reversedBy !== null && !isReleased(reversal, quietPeriodMs)) return decideReversed(row, reversal);
  if (row.status === "success") return answer(row);
  if (row.status === "failed" && !mayReopen(row, asked)) return answer(row);
  if (isInFlight(row)) return wait(row);
  return { do: "call", row, quiet: true };
}

/** The row of a bet or win that only its reversal has named so far. */
function decideVoid(row: Transaction, asked: Content | null): Decision {
  if (asked === null) return answer(row);
  // Without a mark it is the trace of a reversal that never started, and binds nobody.
  if (row.reversedBy === null && !isReversal(asked.action)) return { do: "adopt", row };
  if (row.action !== asked.action) return mismatch("action");
  return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
}

/** A bet or win whose reversal holds it: it is not sent again. */
function decideReversed(row: Transaction, reversal: Transaction | undefined): Decision {
  // A rejection that its caller was told stays the answer, whatever became of the reversal.
  if (row.status === "failed" || (row.status === "success" && row.rejected !== undefined)) return answer(row);
  if (row.status === "pending" || reversal === undefined || reversal.status === "pending") {
    return { do: "answer", answer: { status: "pending", txId: row.txId } };
  }
  if (reversal.status === "success") return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
  return answer(row);
}

/** A rejected credit is sent again when somebody asks for it (docs/specification/transactions.md#tx-credit-reopens); the worker never does. */
const mayReopen = (row: Transaction, asked: Content | null): boolean => asked !== null && isCredit(row.action);

/**
 * In how many ms a rollback no longer holds its win: one that ended failed, and not with TRANSACTION_NOT_FOUND, holds it until no late copy
 * of the rollback can land. `undefined`: it holds its win until it ends, or for ever.
 */
export function releasedInMs(reversal: Transaction | undefined, quietPeriodMs: number): number | undefined {
  const releases = reversal?.action === "rollback" && reversal.status === "failed" && reversal.error !== NOT_FOUND;
  return releases ? quietInMs(reversal, quietPeriodMs) : undefined;
}

/** Whether a rollback holds its win no longer. */
export const isReleased = (reversal: Transaction | undefined, quietPeriodMs: number): boolean => releasedInMs(reversal, quietPeriodMs) === 0;

/**
 * A refund or rollback that is already there.
 *
 * @param asked - the request's content; null when the worker asks.
 * @param reversed - the row that the reversal names.
 */
export function decideReversal(row: Transaction, asked: Content | null, reversed: Transaction, quietPeriodMs: number): Decision {
  const field = (asked === null ? undefined : firstDifference(row, asked)) ?? referenceMismatch(row, reversed);
  if (field !== undefined) return mismatch(field);
  if (row.status === "void") {
    if (reversed.reversedBy === null) return { do: "mark", row };
    return { do: "follow", owner: reversed.reversedBy };
  }
  if (row.status === "success" || (row.status === "failed" && !mayReopen(row, asked))) return answer(row);
  if (isInFlight(row)) return wait(row);
  if (isInFlight(reversed)) return wait(reversed);
  const quiet = isQuiet(reversed, quietPeriodMs);
  // A wallet may keep the rejection of a rollback for ever, so it is not asked while the win can still land.
  if (row.action === "rollback" && !quiet) return answer(row);
  return { do: "call", row, quiet };
}

/**
 * The field in which a reversal contradicts the transaction it names: its action, amount, currency or player. A void
 * reference is only known from a reversal, so nothing but the action of the one that marked it can contradict it.
 */
export function referenceMismatch(reversal: Content, reversed: Transaction): string | undefined {
  if (!isReversal(reversal.action)) return undefined;
  if (reversed.status === "void" && reversed.reversedBy === null && !isReversal(reversed.action)) return undefined;
  if (reversedAction(reversal.action) !== reversed.action) return "ref_tx_id";
  if (reversed.status === "void") return undefined;
  if (reversal.amountMinor !== reversed.amountMinor) return "amount";
  if (reversal.currency !== reversed.currency) return "currency";
  return reversal.playerId === reversed.playerId ? undefined : "player_id";
}

/** The row that stands for an original never seen, out of the content of its reversal. */
export function unseenOriginal(reversal: Content): Content {
  if (!isReversal(reversal.action) || reversal.refTxId === null) throw new Error("a reversal names what it reverses");
  return { ...reversal, txId: reversal.refTxId, action: reversedAction(reversal.action), refTxId: null };
}

/** What the wallet said. Silence is an answer: the money may have moved. */
export type WalletAnswer =
  | { readonly kind: "accepted"; readonly balanceMinor: bigint | null }
  | { readonly kind: "rejected"; readonly error: string }
  | { readonly kind: "silent" };

/** How a row changes when its attempt ends. */
export interface RowChange {
  readonly state: State;
  readonly resolvedBy: ResolvedBy;
  /** Whether the attempt went unanswered. */
  readonly silent: boolean;
  /** When to send again, in ms from now; `never` leaves that to a repeat; null: it is over. */
  readonly next: number | "never" | null;
}

/** What the operators must hear of (docs/specification/operations.md#ops-alerts). */
export type Alert = "credit_failed" | "credit_failed_after_silence" | "reversal_contradicts" | "original_stuck" | "resend_horizon_over";

export interface Settlement {
  readonly change: RowChange;
  /** What becomes of the reversed row, in the same statement; pending: it is only made due. null when it stays as it is. */
  readonly reversed: RowChange | null;
  readonly alerts: readonly Alert[];
}

/** What the end of a reversal depends on. */
export interface ReversalPolicy extends ResendPolicy {
  /** See {@link isQuiet}. */
  readonly quietPeriodMs: number;
}

export interface ResendPolicy {
  /** Auto-resend ends this long after the row was (re-)opened. */
  readonly horizonMs: number;
  /** In [0, 1): where in the jitter this delay falls. */
  readonly fraction: number;
  /** The delay after the first attempt; 1 s when it isn't said. */
  readonly firstDelayMs?: number | undefined;
}

const settledBy = (row: Transaction): ResolvedBy => (row.attempts > 1 ? "resend" : null);
const over = (state: State, resolvedBy: ResolvedBy): RowChange => ({ state, resolvedBy, silent: false, next: null });

/** The attempt ends without a final answer: pending, and a credit is sent again until its horizon. */
function stillPending(row: Transaction, silent: boolean, now: DbTime, resend: ResendPolicy): Settlement {
  const change = (next: number | "never"): RowChange => ({ state: { status: "pending" }, resolvedBy: row.resolvedBy, silent, next });
  if (!isCredit(row.action)) return { change: change("never"), reversed: null, alerts: [] };
  const delay = resendDelayMs(row.attempts, resend.fraction, resend.firstDelayMs);
  const goesOn = now + delay < row.openedAt + resend.horizonMs;
  return goesOn ? { change: change(delay), reversed: null, alerts: [] } : { change: change("never"), reversed: null, alerts: ["resend_horizon_over"] };
}

/**
 * The end of a bet's or win's attempt.
 *
 * @param row - as it was claimed: pending, its attempt counted.
 * @param now - the database's time, as well as this process knows it.
 */
export function settleOriginal(row: Transaction, answered: WalletAnswer, now: DbTime, resend: ResendPolicy): Settlement {
  if (answered.kind === "silent") return stillPending(row, true, now, resend);
  if (answered.kind === "accepted")
    return { change: over({ status: "success", balanceMinor: answered.balanceMinor }, settledBy(row)), reversed: null, alerts: [] };
  return { change: over({ status: "failed", error: answered.error }, settledBy(row)), reversed: null, alerts: failedCredit(row) };
}

/** A credit that failed is owed to the player; after an unanswered attempt it may even have been applied. */
function failedCredit(row: Transaction): readonly Alert[] {
  if (!isCredit(row.action)) return [];
  return [lastUnansweredAt(row) === null && row.silentAt === null ? "credit_failed" : "credit_failed_after_silence"];
}

/**
 * The end of a refund's or rollback's attempt: the table in docs/specification/reversals.md#rev-table. Reversal and reversed row change in one
 * statement, so a sum never counts one without the other.
 *
 * @param reversed - the reversed row as it is now. The store applies the result only while its status is still this one.
 * @param quiet - whether the quiet period since the reversed row's last unanswered attempt had passed when this call began.
 */
export function settleReversal(
  row: Transaction,
  reversed: Transaction,
  answered: WalletAnswer,
  quiet: boolean,
  now: DbTime,
  policy: ReversalPolicy,
): Settlement {
  if (answered.kind === "silent") return stillPending(row, true, now, policy);
  if (answered.kind === "accepted") {
    const change = over({ status: "success", balanceMinor: answered.balanceMinor }, settledBy(row));
    if (reversed.status === "success") return { change, reversed: null, alerts: [] };
    // The wallet says that it had applied the reversed one after all.
    const rejected = reversed.status === "failed" ? { rejected: reversed.error } : {};
    const applied = over({ status: "success", balanceMinor: null, ...rejected }, `${row.action as "refund" | "rollback"}:${row.txId}`);
    return { change, reversed: applied, alerts: reversed.status === "pending" ? [] : ["reversal_contradicts"] };
  }
  const failed = over({ status: "failed", error: answered.error }, settledBy(row));
  if (answered.error !== NOT_FOUND) {
    const alerts: readonly Alert[] = reversed.status === "pending" ? [...failedCredit(row), "original_stuck"] : failedCredit(row);
    return { change: failed, reversed: freed({ ...row, ...failed.state, leaseUntil: null, readAt: now }, reversed, policy), alerts };
  }
  const open = reversed.status === "pending" || (reversed.status === "failed" && lastUnansweredAt(reversed) !== null);
  // A late copy of the reversed one can still land, so "not found" is not yet the truth.
  if (open && !quiet) return stillPending(row, false, now, policy);
  if (reversed.status === "pending") {
    return {
      change: failed,
      reversed: over({ status: "failed", error: NOT_FOUND }, `${row.action as "refund" | "rollback"}:${row.txId}`),
      alerts: failedCredit(row),
    };
  }
  return { change: failed, reversed: null, alerts: reversed.status === "success" ? [...failedCredit(row), "reversal_contradicts"] : failedCredit(row) };
}

/** A held win is due when its rollback, ended, releases it. A win that the service no longer sends by itself waits for a repeat. */
function freed(reversal: Transaction, original: Transaction, { quietPeriodMs }: ReversalPolicy): RowChange | null {
  const next = releasedInMs(reversal, quietPeriodMs);
  if (next === undefined || original.status !== "pending" || original.nextAt === NEVER) return null;
  return { state: { status: "pending" }, resolvedBy: original.resolvedBy, silent: false, next };
}
