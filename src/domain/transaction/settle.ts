/** Decides how the wallet's answer changes a row, and the row that it reverses. The functions are pure. */
import type { WholeMs } from "../values/whole-ms.ts";
import { resendDelayMs } from "./resend.ts";
import { NOT_FOUND, releasedInMs } from "./reversal.ts";
import {
  type DbTime,
  isCredit,
  isDelivered,
  lastUnansweredAt,
  NEVER,
  type ResolvedBy,
  type RowChange,
  type State,
  type Transaction,
  type WalletAnswer,
} from "./transaction.ts";

/** The alerts that the end of an attempt may raise (docs/specification/operations.md#ops-alerts). */
type Alert =
  | "credit_failed"
  | "credit_failed_after_silence"
  | "reversal_contradicts"
  | "original_stuck"
  | "rollback_failed"
  | "resend_horizon_over";

export interface Settlement {
  readonly change: RowChange;
  /**
   * How the reversed row changes in the same statement. If it stays pending, the change only sets its due time. null:
   * it stays as it is.
   */
  readonly reversed: RowChange | null;
  readonly alerts: readonly Alert[];
}

export interface ResendPolicy {
  /** The service stops resending when this much time has passed since the row was opened or re-opened, in ms. */
  readonly horizonMs: number;
  /** A number in [0, 1) that chooses the jitter of this delay. */
  readonly fraction: number;
  /** The delay after the first attempt, in ms; 1 s by default. */
  readonly firstDelayMs?: number | undefined;
}

/** The settings that decide how the wallet's answer to a reversal changes its row. */
export interface ReversalPolicy extends ResendPolicy {
  /** For how long after an unanswered attempt a late copy of this attempt may still reach the wallet, in ms. */
  readonly quietPeriodMs: number;
}

const settledBy = (row: Transaction): ResolvedBy => (row.attempts > 1 ? "resend" : null);
const rejection = ({ error, balanceMinor }: Extract<WalletAnswer, { readonly kind: "rejected" }>) =>
  ({ status: "failed", error, ...(balanceMinor !== undefined && { balanceMinor }) }) as const;
const settledAs = (state: State, resolvedBy: ResolvedBy): RowChange => ({
  state,
  resolvedBy,
  silent: false,
  next: null,
});

/** The attempt ends without a final answer: the row stays pending, and a credit is sent again until its horizon. */
function stillPending(row: Transaction, silent: boolean, now: DbTime, resend: ResendPolicy): Settlement {
  const change = (next: WholeMs | "never"): RowChange => ({
    state: { status: "pending" },
    resolvedBy: row.resolvedBy,
    silent,
    next,
  });
  if (!isDelivered(row)) return { change: change("never"), reversed: null, alerts: [] };
  const delay = resendDelayMs(row.attempts, resend.fraction, resend.firstDelayMs);
  const goesOn = now + delay < row.openedAt + resend.horizonMs;
  return goesOn
    ? { change: change(delay), reversed: null, alerts: [] }
    : { change: change("never"), reversed: null, alerts: ["resend_horizon_over"] };
}

/**
 * Ends an attempt of a bet or win.
 *
 * @param row - the row after its claim: it is pending, and the attempt is counted.
 * @param now - this process's estimate of the database's time.
 */
export function settleOriginal(
  row: Transaction,
  answered: WalletAnswer,
  now: DbTime,
  resend: ResendPolicy,
): Settlement {
  if (answered.kind === "silent") return stillPending(row, true, now, resend);
  if (answered.kind === "accepted")
    return {
      change: settledAs({ status: "success", balanceMinor: answered.balanceMinor }, settledBy(row)),
      reversed: null,
      alerts: [],
    };
  return {
    change: settledAs(rejection(answered), settledBy(row)),
    reversed: null,
    alerts: failedCredit(row),
  };
}

/**
 * A failed credit is still owed to the player. If an attempt of it got no answer, the wallet may even have applied the
 * credit.
 */
function failedCredit(row: Transaction): readonly Alert[] {
  if (!isCredit(row.action)) return [];
  return [lastUnansweredAt(row) === null && row.silentAt === null ? "credit_failed" : "credit_failed_after_silence"];
}

/**
 * Ends an attempt of a refund or rollback by the table in docs/specification/reversals.md#rev-table. The reversal and
 * the reversed row change in one statement, so no sum contains only one of the two changes.
 *
 * @param reversed - the reversed row as it is now. The store applies the result only while that row still has this
 *   status.
 * @param quiet - whether the reversed row's quiet period had passed when this call began.
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
    const change = settledAs({ status: "success", balanceMinor: answered.balanceMinor }, settledBy(row));
    if (reversed.status === "success") return { change, reversed: null, alerts: [] };
    // A wallet that accepts a reversal has applied the reversed transaction.
    const rejected = reversed.status === "failed" ? { rejected: reversed.error } : {};
    const applied = settledAs(
      { status: "success", balanceMinor: null, ...rejected },
      `${row.action as "refund" | "rollback"}:${row.txId}`,
    );
    return { change, reversed: applied, alerts: reversed.status === "pending" ? [] : ["reversal_contradicts"] };
  }
  const failed = settledAs(rejection(answered), settledBy(row));
  if (answered.error !== NOT_FOUND) {
    const alerts: Alert[] = [...failedCredit(row)];
    // The provider has left the rollback to the service, and does not learn that the player keeps the win.
    if (row.action === "rollback" && isDelivered(row)) alerts.push("rollback_failed");
    if (reversed.status === "pending") alerts.push("original_stuck");
    return {
      change: failed,
      reversed: freed({ ...row, ...failed.state, leaseUntil: null, readAt: now }, reversed, policy),
      alerts,
    };
  }
  const open = reversed.status === "pending" || (reversed.status === "failed" && lastUnansweredAt(reversed) !== null);
  // A late copy of the reversed transaction can still reach the wallet, so "not found" is not final yet.
  if (open && !quiet) return stillPending(row, false, now, policy);
  if (reversed.status === "pending") {
    return {
      change: failed,
      reversed: settledAs({ status: "failed", error: NOT_FOUND }, `${row.action as "refund" | "rollback"}:${row.txId}`),
      alerts: failedCredit(row),
    };
  }
  return {
    change: failed,
    reversed: null,
    alerts: reversed.status === "success" ? [...failedCredit(row), "reversal_contradicts"] : failedCredit(row),
  };
}

/**
 * Sets the due time of a held win when its rollback, which has just ended, releases it. A win past its resend horizon
 * stays as it is: only a repeat sends it.
 */
function freed(reversal: Transaction, original: Transaction, { quietPeriodMs }: ReversalPolicy): RowChange | null {
  const next = releasedInMs(reversal, quietPeriodMs);
  if (next === undefined || original.status !== "pending" || original.nextAt === NEVER) return null;
  return { state: { status: "pending" }, resolvedBy: original.resolvedBy, silent: false, next };
}

/**
 * Whether a late reply, which was not recorded, is the opposite of the recorded result of another attempt of the same
 * transaction (docs/specification/transactions.md#tx-contradiction). A wallet that keeps the result of each tx_id never
 * sends such a reply. A wallet may decide differently about a rejected credit that it gets again. So a rejection does
 * not contradict a credit's success.
 */
export function contradicts(answered: WalletAnswer, row: Transaction): boolean {
  if (answered.kind === "accepted")
    return row.status === "failed" || (row.status === "success" && row.rejected !== undefined);
  return (
    answered.kind === "rejected" && !isCredit(row.action) && row.status === "success" && row.rejected === undefined
  );
}
