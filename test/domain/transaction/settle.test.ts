/** The effect of a wallet's answer on a row: the table in docs/specification/reversals.md#rev-table. */

import test from "ava";
import { contradicts, settleOriginal, settleReversal } from "../../../src/domain/transaction/settle.ts";
import {
  NEVER,
  type RowChange,
  type State,
  type Transaction,
  type WalletAnswer,
} from "../../../src/domain/transaction/transaction.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { NOW, PAIRS, QUIET_MS, row, STATES } from "./rows.ts";

const RESEND = { horizonMs: 72 * 3_600_000, fraction: 0, quietPeriodMs: QUIET_MS };
const ACCEPTED: WalletAnswer = { kind: "accepted", balanceMinor: 900n };
const NOT_FOUND: WalletAnswer = { kind: "rejected", error: "TRANSACTION_NOT_FOUND" };
const BLOCKED: WalletAnswer = { kind: "rejected", error: "PLAYER_BLOCKED" };
const SILENT: WalletAnswer = { kind: "silent" };

const PENDING: State = { status: "pending" };
const failed = (error: string): State => ({ status: "failed", error });
const SILENT_ONCE = { silentAt: NOW - 1_000_000 };
const stateOf = (change: RowChange | null): State | "as it was" => change?.state ?? "as it was";

interface TableRow {
  readonly answer: WalletAnswer;
  readonly original: State;
  readonly books?: Partial<Pick<Transaction, "silentAt" | "leaseUntil">>;
  readonly quiet: boolean;
  /** The states of the reversal and of the original after the answer. */
  readonly then: readonly [State, State | "as it was"];
  /** The alerts for a refund. A rollback is not a credit, so its failure alone raises no alert. */
  readonly alerts: readonly string[];
}

const success: State = { status: "success", balanceMinor: 900n };
const applied: State = { status: "success", balanceMinor: null };

for (const [kind, { original, reversal }] of Object.entries(PAIRS)) {
  const credit = kind === "bet" ? ["credit_failed"] : [];
  const table: Record<string, TableRow> = {
    "if the wallet accepts the reversal of a success, the reversal succeeds and the original stays": {
      answer: ACCEPTED,
      original: STATES.success,
      quiet: true,
      then: [success, "as it was"],
      alerts: [],
    },
    "if the wallet accepts the reversal of a pending original, both succeed": {
      answer: ACCEPTED,
      original: STATES.pending,
      quiet: true,
      then: [success, applied],
      alerts: [],
    },
    "if the wallet accepts the reversal of a pending original in its quiet period, both succeed": {
      answer: ACCEPTED,
      original: STATES.pending,
      quiet: false,
      then: [success, applied],
      alerts: [],
    },
    "if the wallet accepts the reversal of a failed original, both succeed and the rejection stays the original's answer":
      {
        answer: ACCEPTED,
        original: STATES.failed,
        quiet: true,
        then: [success, { ...applied, rejected: "INSUFFICIENT_FUNDS" } as State],
        alerts: ["reversal_contradicts"],
      },
    "if the wallet accepts the reversal of a void original, both succeed": {
      answer: ACCEPTED,
      original: STATES.void,
      quiet: true,
      then: [success, applied],
      alerts: ["reversal_contradicts"],
    },
    "if the wallet answers TRANSACTION_NOT_FOUND for a pending original after its quiet period, both fail": {
      answer: NOT_FOUND,
      original: STATES.pending,
      quiet: true,
      then: [failed("TRANSACTION_NOT_FOUND"), failed("TRANSACTION_NOT_FOUND")],
      alerts: credit,
    },
    "if the wallet answers TRANSACTION_NOT_FOUND for a pending original in its quiet period, both stay pending": {
      answer: NOT_FOUND,
      original: STATES.pending,
      quiet: false,
      then: [PENDING, "as it was"],
      alerts: [],
    },
    "if the wallet answers TRANSACTION_NOT_FOUND for an original that failed after a silent attempt, after its quiet period, the reversal fails and the original keeps its rejection":
      {
        answer: NOT_FOUND,
        original: STATES.failed,
        books: SILENT_ONCE,
        quiet: true,
        then: [failed("TRANSACTION_NOT_FOUND"), "as it was"],
        alerts: credit,
      },
    "if the wallet answers TRANSACTION_NOT_FOUND for an original that failed after a silent attempt, in its quiet period, the reversal stays pending":
      {
        answer: NOT_FOUND,
        original: STATES.failed,
        books: SILENT_ONCE,
        quiet: false,
        then: [PENDING, "as it was"],
        alerts: [],
      },
    "if the wallet answers TRANSACTION_NOT_FOUND for a failed original whose attempts were all answered, the reversal fails at once":
      {
        answer: NOT_FOUND,
        original: STATES.failed,
        quiet: false,
        then: [failed("TRANSACTION_NOT_FOUND"), "as it was"],
        alerts: credit,
      },
    "if the wallet answers TRANSACTION_NOT_FOUND for a void original, the reversal fails": {
      answer: NOT_FOUND,
      original: STATES.void,
      quiet: false,
      then: [failed("TRANSACTION_NOT_FOUND"), "as it was"],
      alerts: credit,
    },
    "if the wallet answers TRANSACTION_NOT_FOUND for a success, the reversal fails and an alert is raised": {
      answer: NOT_FOUND,
      original: STATES.success,
      quiet: false,
      then: [failed("TRANSACTION_NOT_FOUND"), "as it was"],
      alerts: [...credit, "reversal_contradicts"],
    },
    "if the wallet rejects the reversal of a pending original with another code, the reversal fails, the original stays pending and an alert is raised":
      {
        answer: BLOCKED,
        original: STATES.pending,
        quiet: true,
        then: [failed("PLAYER_BLOCKED"), kind === "bet" ? "as it was" : PENDING],
        alerts: [...credit, "original_stuck"],
      },
    "if the wallet rejects the reversal of a failed original with another code, the reversal fails": {
      answer: BLOCKED,
      original: STATES.failed,
      quiet: true,
      then: [failed("PLAYER_BLOCKED"), "as it was"],
      alerts: credit,
    },
    "if the wallet rejects the reversal of a success with another code, the reversal fails": {
      answer: BLOCKED,
      original: STATES.success,
      quiet: true,
      then: [failed("PLAYER_BLOCKED"), "as it was"],
      alerts: credit,
    },
    "if the wallet rejects the reversal of a void original with another code, the reversal fails": {
      answer: BLOCKED,
      original: STATES.void,
      quiet: true,
      then: [failed("PLAYER_BLOCKED"), "as it was"],
      alerts: credit,
    },
    "if the wallet does not answer the reversal of a pending original, both stay pending": {
      answer: SILENT,
      original: STATES.pending,
      quiet: true,
      then: [PENDING, "as it was"],
      alerts: [],
    },
  };
  for (const [name, { answer, original: was, books = {}, quiet, then, alerts }] of Object.entries(table)) {
    test(`settleReversal (${kind} and ${reversal.action}): ${name}`, (t) => {
      const settled = settleReversal(
        row(reversal, STATES.pending),
        row(original, was, { ...books, reversedBy: reversal.txId }),
        answer,
        quiet,
        NOW,
        RESEND,
      );
      t.deepEqual([settled.change.state, stateOf(settled.reversed)], then);
      t.deepEqual(settled.alerts, alerts as typeof settled.alerts);
    });
  }

  test(`settleReversal records which reversal closed a ${kind}`, (t) => {
    for (const answer of [ACCEPTED, NOT_FOUND]) {
      const settled = settleReversal(
        row(reversal, STATES.pending),
        row(original, STATES.pending),
        answer,
        true,
        NOW,
        RESEND,
      );
      t.is(settled.reversed?.resolvedBy, `${reversal.action as "refund" | "rollback"}:${reversal.txId}`);
    }
  });

  test(`settleReversal treats an attempt of a ${kind} whose process died as unanswered`, (t) => {
    const reversed = row(original, STATES.failed, { leaseUntil: NOW - 1 });
    t.is(
      settleReversal(row(reversal, STATES.pending), reversed, NOT_FOUND, false, NOW, RESEND).change.state.status,
      "pending",
    );
  });
}

test("settleReversal: the held win of a failed rollback becomes due when no late copy of the rollback can reach the wallet", (t) => {
  const { original: win, reversal: rollback } = PAIRS.win;
  const ended = (
    answer: WalletAnswer,
    books: Partial<Transaction> = {},
    held: Partial<Transaction> = {},
    state: State = PENDING,
  ) =>
    settleReversal(
      row(rollback, PENDING, books),
      row(win, state, { ...held, reversedBy: rollback.txId }),
      answer,
      true,
      NOW,
      RESEND,
    ).reversed;
  const due = (next: number): RowChange => ({ state: PENDING, resolvedBy: null, silent: false, next: wholeMs(next) });
  // The call that has just ended was answered, and its row still has a lease.
  const own = { leaseUntil: NOW + 1_000 };
  t.deepEqual(ended(BLOCKED, own), due(0));
  t.deepEqual(ended(BLOCKED, { leaseUntil: NOW - 1 }), due(0));
  t.deepEqual(ended(BLOCKED, { ...own, silentAt: NOW - 20_000 }), due(QUIET_MS - 20_000));
  t.deepEqual(ended(BLOCKED, { ...own, silentAt: NOW - QUIET_MS }), due(0));
  t.deepEqual(ended(BLOCKED, own, { nextAt: NOW + 59_000, resolvedBy: "resend" }), { ...due(0), resolvedBy: "resend" });
  t.is(ended(BLOCKED, own, { nextAt: NEVER }), null, "past its horizon");
  t.is(ended(SILENT, own), null);
  t.is(ended(BLOCKED, own, {}, STATES.failed), null);
  t.is(ended(BLOCKED, own, {}, STATES.success), null);
});

test("settleReversal: if a refund is rejected while its bet is pending, the bet does not change", (t) => {
  const { original: bet, reversal: refund } = PAIRS.bet;
  t.is(
    settleReversal(row(refund, PENDING), row(bet, PENDING, { reversedBy: refund.txId }), BLOCKED, true, NOW, RESEND)
      .reversed,
    null,
  );
});

test("settleOriginal keeps a silent bet pending, and only the provider's repeat sends it again", (t) => {
  t.deepEqual(settleOriginal(row(PAIRS.bet.original, PENDING), SILENT, NOW, RESEND), {
    change: { state: PENDING, resolvedBy: null, silent: true, next: "never" },
    reversed: null,
    alerts: [],
  });
});

test("settleOriginal resends a silent win after growing delays", (t) => {
  const delays = [1, 2, 3, 9, 10, 50].map(
    (attempts) => settleOriginal(row(PAIRS.win.original, PENDING, { attempts }), SILENT, NOW, RESEND).change.next,
  );
  t.deepEqual(delays, [1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

test("settleOriginal stops a win's resends at the horizon, counted from its last opening, and raises an alert", (t) => {
  const horizonMs = 100_000;
  const late = settleOriginal(row(PAIRS.win.original, PENDING, { openedAt: NOW - 99_000 }), SILENT, NOW, {
    horizonMs,
    fraction: 0,
  });
  t.deepEqual([late.change.next, late.alerts], ["never", ["resend_horizon_over"]]);
  const reopened = settleOriginal(
    row(PAIRS.win.original, PENDING, { createdAt: 0, openedAt: NOW - 98_999 }),
    SILENT,
    NOW,
    { horizonMs, fraction: 0 },
  );
  t.deepEqual([reopened.change.next, reopened.alerts], [1_000, []]);
});

test("settleOriginal records the wallet's answer as final, and whether it was a resend's answer", (t) => {
  for (const [attempts, resolvedBy] of [
    [1, null],
    [2, "resend"],
  ] as const) {
    t.deepEqual(settleOriginal(row(PAIRS.bet.original, PENDING, { attempts }), ACCEPTED, NOW, RESEND).change, {
      state: success,
      resolvedBy,
      silent: false,
      next: null,
    });
    t.deepEqual(settleOriginal(row(PAIRS.bet.original, PENDING, { attempts }), BLOCKED, NOW, RESEND).change, {
      state: failed("PLAYER_BLOCKED"),
      resolvedBy,
      silent: false,
      next: null,
    });
  }
});

test("settleOriginal raises an alert for a failed credit, another alert if a late copy may have been applied, and none for a bet", (t) => {
  t.deepEqual(settleOriginal(row(PAIRS.win.original, PENDING), BLOCKED, NOW, RESEND).alerts, ["credit_failed"]);
  t.deepEqual(settleOriginal(row(PAIRS.win.original, PENDING, SILENT_ONCE), BLOCKED, NOW, RESEND).alerts, [
    "credit_failed_after_silence",
  ]);
  t.deepEqual(settleOriginal(row(PAIRS.bet.original, PENDING), BLOCKED, NOW, RESEND).alerts, []);
});

test("a late reply contradicts a row with the opposite result; but a wallet may decide again about a rejected credit", (t) => {
  const { bet, win } = { bet: PAIRS.bet.original, win: PAIRS.win.original };
  const repaid: State = { status: "success", balanceMinor: null, rejected: "PLAYER_BLOCKED" };
  const table = [
    [bet, STATES.failed, ACCEPTED, true],
    [bet, STATES.failed, BLOCKED, false],
    [bet, STATES.success, ACCEPTED, false],
    [bet, STATES.success, BLOCKED, true],
    [bet, repaid, BLOCKED, false],
    [bet, repaid, ACCEPTED, true],
    [bet, STATES.pending, ACCEPTED, false],
    [bet, STATES.failed, SILENT, false],
    [win, STATES.success, BLOCKED, false],
    [win, STATES.failed, ACCEPTED, true],
    [PAIRS.bet.reversal, STATES.success, NOT_FOUND, false],
    [PAIRS.win.reversal, STATES.success, NOT_FOUND, true],
  ] as const;
  for (const [what, state, answer, expected] of table)
    t.is(contradicts(answer, row(what, state)), expected, `${what.action} ${state.status} ${answer.kind}`);
});
