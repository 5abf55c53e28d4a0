/** What support may do to a transaction (docs/specification/resends.md#resend-by-merchant, docs/specification/resends.md#resend-resolve). */
import { ok, type Result, refuse } from "../errors.ts";
import { isCredit, isInFlight, isQuiet, isReleased, isReversal, NOT_FOUND, type RowChange, settleReversal, type Transaction } from "./transaction.ts";

/**
 * Whether the service may send this row again because somebody asks for it: a win or refund without a success.
 *
 * @param reversal - the row that `row.reversedBy` names: a win is held while its rollback may still undo it.
 */
export function mayResend(row: Transaction, reversal: Transaction | undefined, quietPeriodMs: number): boolean {
  if (!isCredit(row.action) || (row.status !== "pending" && row.status !== "failed")) return false;
  return row.reversedBy === null || isReleased(reversal, quietPeriodMs);
}

/** How a resolved row changes, and the one that it reverses; null: that stays as it is. */
export interface Resolution {
  readonly change: RowChange;
  readonly reversed: RowChange | null;
}

export interface ResolvePolicy {
  /** What has been pending for longer may be closed. */
  readonly horizonMs: number;
  /** See {@link isQuiet}. */
  readonly quietPeriodMs: number;
}

/** The error of an original that support closes as failed: the wallet's own is not known. */
const UNKNOWN = "UNKNOWN";

/**
 * Closes what nothing else can: a row that is pending for longer than the horizon. A reversal ends as the wallet's answer would have
 * ended it, together with the row that it reverses. A provider may have repeated it a moment ago: what the merchant's ledger says is the
 * truth only when no late copy of the last attempt can change it any more.
 *
 * @param other - what a reversal reverses, or what reverses an original; undefined: there is none.
 */
export function resolve(row: Transaction, other: Transaction | undefined, outcome: "success" | "failed", policy: ResolvePolicy): Result<Resolution> {
  const { horizonMs, quietPeriodMs } = policy;
  if (row.status !== "pending") return refuse("NOT_RESOLVABLE", { field: "status" });
  if (isInFlight(row) || !isQuiet(row, quietPeriodMs)) return refuse("NOT_RESOLVABLE", { field: "in_flight" });
  // Its reversal ends both.
  if (!isReversal(row.action) && other?.status === "pending") return refuse("NOT_RESOLVABLE", { field: "reversed_by" });
  if (row.readAt - row.openedAt <= horizonMs) return refuse("NOT_RESOLVABLE", { field: "opened_at" });
  if (!isReversal(row.action)) {
    const state = outcome === "success" ? ({ status: "success", balanceMinor: null } as const) : ({ status: "failed", error: UNKNOWN } as const);
    return ok({ change: { state, resolvedBy: "manual", silent: false, next: null }, reversed: null });
  }
  if (other === undefined) throw new Error("a reversal that is pending has a row that it reverses");
  if (isInFlight(other) || !isQuiet(other, quietPeriodMs)) return refuse("NOT_RESOLVABLE", { field: "ref_tx_id" });
  const answer = outcome === "success" ? ({ kind: "accepted", balanceMinor: null } as const) : ({ kind: "rejected", error: NOT_FOUND } as const);
  const { change, reversed } = settleReversal(row, other, answer, true, row.readAt, { horizonMs, quietPeriodMs, fraction: 0 });
  return ok({ change: { ...change, resolvedBy: "manual" }, reversed });
}
