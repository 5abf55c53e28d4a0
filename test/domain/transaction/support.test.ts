import test from "ava";
import type { Result } from "../../../src/domain/errors.ts";
import { mayResend, type Resolution, resolve } from "../../../src/domain/transaction/support.ts";
import { content, id, NOW, PAIRS, QUIET_MS, row, STATES } from "./rows.ts";

const HORIZON_MS = 400_000;
const POLICY = { horizonMs: HORIZON_MS, quietPeriodMs: QUIET_MS };

/** The statuses after a resolution, or the refusal with its field. */
function textOf(result: Result<Resolution>): string {
  if (!result.ok) return `${result.refusal.code} ${result.refusal.field}`;
  const { change, reversed } = result.value;
  return reversed === null
    ? `${change.state.status} ${change.resolvedBy}`
    : `${change.state.status} ${change.resolvedBy}, ${reversed.state.status} ${reversed.resolvedBy}`;
}

test("only a pending or failed win or refund may be resent", (t) => {
  for (const action of ["bet", "win", "refund", "rollback"] as const) {
    for (const [status, state] of Object.entries(STATES)) {
      const may = (action === "win" || action === "refund") && (status === "pending" || status === "failed");
      t.is(mayResend(row(content({ action }), state), undefined, QUIET_MS), may, `${action} ${status}`);
    }
  }
});

test("a win with a rollback may be resent only after the rollback failed with another code than TRANSACTION_NOT_FOUND and its quiet period has passed", (t) => {
  const { original, reversal } = PAIRS.win;
  const win = row(original, STATES.pending, { reversedBy: id("rollback") });
  t.false(mayResend(win, row(reversal, STATES.pending), QUIET_MS));
  t.false(mayResend(win, row(reversal, { status: "failed", error: "TRANSACTION_NOT_FOUND" }), QUIET_MS));
  t.false(mayResend(win, row(reversal, STATES.failed, { silentAt: NOW - QUIET_MS + 1 }), QUIET_MS));
  t.true(mayResend(win, row(reversal, STATES.failed, { silentAt: NOW - QUIET_MS }), QUIET_MS));
});

test("resolve refuses a row, in this order, if it is settled, in flight, waiting for its pending reversal, or too young", (t) => {
  const { original } = PAIRS.bet;
  const refund = row(PAIRS.bet.reversal, STATES.pending);
  const young = { openedAt: NOW - HORIZON_MS };
  const inFlight = { ...young, leaseUntil: NOW + 1 };
  for (const state of [STATES.success, STATES.failed, STATES.void])
    t.is(textOf(resolve(row(original, state, inFlight), refund, "failed", POLICY)), "NOT_RESOLVABLE status");
  t.is(textOf(resolve(row(original, STATES.pending, inFlight), refund, "failed", POLICY)), "NOT_RESOLVABLE in_flight");
  t.is(textOf(resolve(row(original, STATES.pending, young), refund, "failed", POLICY)), "NOT_RESOLVABLE reversed_by");
  t.is(textOf(resolve(row(original, STATES.pending, young), undefined, "failed", POLICY)), "NOT_RESOLVABLE opened_at");
  t.is(
    textOf(resolve(row(original, STATES.pending, { openedAt: NOW - HORIZON_MS - 1 }), undefined, "failed", POLICY)),
    "failed manual",
  );
  t.is(
    textOf(resolve(refund, row(original, STATES.pending, { leaseUntil: NOW + 1 }), "failed", POLICY)),
    "NOT_RESOLVABLE ref_tx_id",
  );
});

test("no row is closed while a late copy of its last attempt, or of the reversed row's, may still reach the wallet", (t) => {
  const { original, reversal } = PAIRS.bet;
  const closed = (age: number, otherAge: number) =>
    textOf(
      resolve(
        row(reversal, STATES.pending, { silentAt: NOW - age }),
        row(original, STATES.pending, { silentAt: NOW - otherAge }),
        "failed",
        POLICY,
      ),
    );
  t.is(
    textOf(resolve(row(original, STATES.pending, { silentAt: NOW - QUIET_MS + 1 }), undefined, "failed", POLICY)),
    "NOT_RESOLVABLE in_flight",
  );
  t.is(
    textOf(resolve(row(original, STATES.pending, { leaseUntil: NOW - QUIET_MS + 1 }), undefined, "failed", POLICY)),
    "NOT_RESOLVABLE in_flight",
  );
  t.is(
    textOf(resolve(row(original, STATES.pending, { silentAt: NOW - QUIET_MS }), undefined, "failed", POLICY)),
    "failed manual",
  );
  t.is(closed(QUIET_MS - 1, QUIET_MS), "NOT_RESOLVABLE in_flight");
  t.is(closed(QUIET_MS, QUIET_MS - 1), "NOT_RESOLVABLE ref_tx_id");
  t.is(closed(QUIET_MS, QUIET_MS), `failed manual, failed refund:${reversal.txId}`);
});

test("an original is closed alone, even if it has a reversal that failed", (t) => {
  for (const { original, reversal } of Object.values(PAIRS)) {
    for (const other of [undefined, row(reversal, STATES.failed)]) {
      t.is(textOf(resolve(row(original, STATES.pending), other, "success", POLICY)), "success manual");
      t.is(textOf(resolve(row(original, STATES.pending), other, "failed", POLICY)), "failed manual");
    }
  }
});

test("a reversal is closed together with the row that it reverses, as the wallet's answer would have closed it", (t) => {
  for (const { original, reversal } of Object.values(PAIRS)) {
    const by = `${reversal.action}:${reversal.txId}`;
    const closed = (state: (typeof STATES)[keyof typeof STATES], outcome: "success" | "failed") =>
      textOf(
        resolve(row(reversal, STATES.pending), row(original, state, { reversedBy: reversal.txId }), outcome, POLICY),
      );
    t.is(closed(STATES.pending, "success"), `success manual, success ${by}`);
    t.is(closed(STATES.pending, "failed"), `failed manual, failed ${by}`);
    t.is(closed(STATES.success, "success"), "success manual");
    t.is(closed(STATES.success, "failed"), "failed manual");
    t.is(closed(STATES.failed, "success"), `success manual, success ${by}`);
    t.is(closed(STATES.failed, "failed"), "failed manual");
    t.is(closed(STATES.void, "success"), `success manual, success ${by}`);
  }
});
