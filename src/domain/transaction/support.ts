/**
 * What support may do to a transaction (docs/specification/resends.md#resend-by-merchant,
 * docs/specification/resends.md#resend-resolve).
 */
import { ok, type Result, refuse } from "../errors.ts";
import type { TxId } from "../values/identifiers.ts";
import { isReleased, NOT_FOUND } from "./reversal.ts";
import { settleReversal } from "./settle.ts";
import {
  isCredit,
  isInFlight,
  isQuiet,
  isReversal,
  isWaiting,
  type RowChange,
  type Transaction,
} from "./transaction.ts";

/**
 * Whether support may have this row sent again: a win or refund that is pending or failed. A win is not sent while its
 * rollback may still undo it.
 * @param reversal - the row that `row.reversedBy` names; undefined: there is none.
 */
export function mayResend(row: Transaction, reversal: Transaction | undefined, quietPeriodMs: number): boolean {
  if (!isCredit(row.action) || (row.status !== "pending" && row.status !== "failed")) return false;
  return row.reversedBy === null || isReleased(reversal, quietPeriodMs);
}

/** How a resolved row changes, and how the row that it reverses changes. `reversed` null: that row stays as it is. */
export interface Resolution {
  readonly change: RowChange;
  readonly reversed: RowChange | null;
  /** The win that waits for the closed bet, and is sent now. */
  readonly win?: TxId;
}

export interface ResolvePolicy {
  /** A row may be closed after it has been pending for longer than this, in ms. */
  readonly horizonMs: number;
  /** See {@link isQuiet}. */
  readonly quietPeriodMs: number;
}

/** The error of a bet or win that support closes as failed. The wallet's own error is not known. */
const UNKNOWN = "UNKNOWN";

/**
 * Closes a row that has been pending for longer than the horizon and that nothing else can end. A reversal ends as the
 * wallet's answer would have ended it, together with the row that it reverses. Support reads the outcome in the
 * merchant's ledger. This outcome is final only if no late copy of the last attempt can still reach the wallet. So the
 * row must be quiet: its provider may have repeated the request a moment ago.
 * @param other - for a reversal, the row that it reverses; for an original, its reversal; undefined: there is none.
 * @param won - the row that `row.playWin` names; undefined: there is none.
 */
export function resolve(
  row: Transaction,
  other: Transaction | undefined,
  outcome: "success" | "failed",
  policy: ResolvePolicy,
  won?: Transaction,
): Result<Resolution> {
  const { horizonMs, quietPeriodMs } = policy;
  if (row.status !== "pending") return refuse("NOT_RESOLVABLE", { field: "status" });
  if (isInFlight(row) || !isQuiet(row, quietPeriodMs)) return refuse("NOT_RESOLVABLE", { field: "in_flight" });
  // The end of the reversal will also end this original.
  if (!isReversal(row.action) && other?.status === "pending") return refuse("NOT_RESOLVABLE", { field: "reversed_by" });
  if (row.readAt - row.openedAt <= horizonMs) return refuse("NOT_RESOLVABLE", { field: "opened_at" });
  if (!isReversal(row.action)) {
    const state =
      outcome === "success"
        ? ({ status: "success", balanceMinor: null } as const)
        : ({ status: "failed", error: UNKNOWN } as const);
    const isPaid = outcome === "success" && row.reversedBy === null && won !== undefined && isWaiting(won);
    const win = isPaid && won.bet?.txId === row.txId ? { win: won.txId } : {};
    return ok({ change: { state, resolvedBy: "manual", silent: false, next: null }, reversed: null, ...win });
  }
  if (other === undefined) throw new Error("a reversal that is pending has a row that it reverses");
  if (isInFlight(other) || !isQuiet(other, quietPeriodMs)) return refuse("NOT_RESOLVABLE", { field: "ref_tx_id" });
  const answer =
    outcome === "success"
      ? ({ kind: "accepted", balanceMinor: null } as const)
      : ({ kind: "rejected", error: NOT_FOUND } as const);
  const { change, reversed } = settleReversal(row, other, answer, true, row.readAt, {
    horizonMs,
    quietPeriodMs,
    fraction: 0,
  });
  return ok({ change: { ...change, resolvedBy: "manual" }, reversed });
}
