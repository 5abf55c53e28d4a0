/**
 * The decisions about a request with an existing row (docs/specification/transactions.md and
 * docs/specification/reversals.md).
 */
import test from "ava";
import { type Decision, decideOriginal, decideReversal } from "../../../src/domain/transaction/decide.ts";
import type { State, Transaction } from "../../../src/domain/transaction/transaction.ts";
import { content, id, NOW, PAIRS, QUIET_MS, row, STATES } from "./rows.ts";

/** A decision in one or two words. */
function textOf(decision: Decision): string {
  if (decision.do === "refuse")
    return decision.refusal.field === undefined
      ? decision.refusal.code
      : `${decision.refusal.code} ${decision.refusal.field}`;
  if (decision.do === "answer")
    return decision.answer.status === "failed" ? `failed ${decision.answer.error}` : decision.answer.status;
  if (decision.do === "call") return decision.quiet ? "call" : "call, not quiet";
  return decision.do;
}

const LIVE = { leaseUntil: NOW + 1 };
const DEAD = { leaseUntil: NOW };
const { original: bet, reversal: refund } = PAIRS.bet;
const { original: win, reversal: rollback } = PAIRS.win;
const rejected = (error: string): State => ({ status: "failed", error });

test("decideOriginal without a reversal returns the expected decision for each status of a bet and a win, for a request and for the worker", (t) => {
  const expected = {
    bet: {
      void: ["adopt", "pending"],
      pending: ["call", "call"],
      success: ["success", "success"],
      failed: ["failed INSUFFICIENT_FUNDS", "failed INSUFFICIENT_FUNDS"],
    },
    win: {
      void: ["adopt", "pending"],
      pending: ["call", "call"],
      success: ["success", "success"],
      failed: ["call", "failed INSUFFICIENT_FUNDS"],
    },
  };
  for (const kind of ["bet", "win"] as const) {
    const { original } = PAIRS[kind];
    for (const status of ["void", "pending", "success", "failed"] as const) {
      const existing = row(original, STATES[status]);
      t.deepEqual(
        [original, null].map((request) => textOf(decideOriginal(existing, request, undefined, QUIET_MS))),
        expected[kind][status],
        `${kind} ${status}`,
      );
    }
  }
});

test("decideOriginal waits for a call in flight, and calls the wallet when the call's lease has ended", (t) => {
  t.like(decideOriginal(row(bet, STATES.pending, LIVE), bet, undefined, QUIET_MS), { do: "wait", until: NOW + 1 });
  t.is(textOf(decideOriginal(row(bet, STATES.pending, DEAD), bet, undefined, QUIET_MS)), "call");
});

/**
 * The order in docs/specification/reversals.md#rev-original-answers: void, failed, pending (original or reversal),
 * reversed, and otherwise the stored success.
 */
const AFTER_REVERSAL: Record<string, Record<string, string>> = {
  // the status of the original: { the status of its reversal: the answer to a repeat of the original }
  void: {
    pending: "TRANSACTION_REVERSED",
    success: "TRANSACTION_REVERSED",
    failed: "TRANSACTION_REVERSED",
    "failed (TRANSACTION_NOT_FOUND)": "TRANSACTION_REVERSED",
  },
  failed: {
    pending: "failed INSUFFICIENT_FUNDS",
    success: "failed INSUFFICIENT_FUNDS",
    failed: "failed INSUFFICIENT_FUNDS",
    "failed (TRANSACTION_NOT_FOUND)": "failed INSUFFICIENT_FUNDS",
  },
  pending: { pending: "pending", success: "pending", failed: "pending", "failed (TRANSACTION_NOT_FOUND)": "pending" },
  success: {
    pending: "pending",
    success: "TRANSACTION_REVERSED",
    failed: "success",
    "failed (TRANSACTION_NOT_FOUND)": "success",
  },
  "success (after a rejection)": {
    pending: "failed X",
    success: "failed X",
    failed: "failed X",
    "failed (TRANSACTION_NOT_FOUND)": "failed X",
  },
};
const ORIGINALS: Record<string, State> = {
  ...STATES,
  "success (after a rejection)": { status: "success", balanceMinor: null, rejected: "X" },
};
const REVERSALS: Record<string, State> = {
  pending: STATES.pending,
  success: STATES.success,
  failed: rejected("PLAYER_BLOCKED"),
  "failed (TRANSACTION_NOT_FOUND)": rejected("TRANSACTION_NOT_FOUND"),
};

for (const [status, byReversal] of Object.entries(AFTER_REVERSAL)) {
  for (const [reversal, expected] of Object.entries(byReversal)) {
    test(`decideOriginal answers ${expected} if the bet's status is ${status} and its refund's status is ${reversal}`, (t) => {
      const existing = row(bet, ORIGINALS[status] as State, { reversedBy: refund.txId });
      t.is(textOf(decideOriginal(existing, bet, row(refund, REVERSALS[reversal] as State), QUIET_MS)), expected);
    });
    test(`decideOriginal answers ${expected} if the win's status is ${status} and its rollback's status is ${reversal}, in the rollback's quiet period`, (t) => {
      const existing = row(win, ORIGINALS[status] as State, { reversedBy: rollback.txId });
      t.is(
        textOf(
          decideOriginal(
            existing,
            win,
            row(rollback, REVERSALS[reversal] as State, { silentAt: NOW - QUIET_MS + 1 }),
            QUIET_MS,
          ),
        ),
        expected,
      );
    });
  }
}

test("decideOriginal: a win is released when its rollback was rejected and the quiet period is over, for repeats and for the worker", (t) => {
  const over = row(rollback, rejected("PLAYER_BLOCKED"), { silentAt: NOW - QUIET_MS });
  const free = (state: State, request: typeof win | null): string =>
    textOf(decideOriginal(row(win, state, { reversedBy: rollback.txId }), request, over, QUIET_MS));
  t.deepEqual(
    [free(STATES.pending, win), free(STATES.failed, win), free(STATES.success, win)],
    ["call", "call", "success"],
  );
  t.deepEqual([free(STATES.pending, null), free(STATES.failed, null)], ["call", "failed INSUFFICIENT_FUNDS"]);
});

test("decideOriginal: a win stays held if its rollback got TRANSACTION_NOT_FOUND, even after the quiet period", (t) => {
  const over = row(rollback, rejected("TRANSACTION_NOT_FOUND"));
  t.is(textOf(decideOriginal(row(win, STATES.pending, { reversedBy: rollback.txId }), win, over, QUIET_MS)), "pending");
});

test("decideOriginal: a refund's rejection never releases its bet", (t) => {
  t.is(
    textOf(
      decideOriginal(
        row(bet, STATES.pending, { reversedBy: refund.txId }),
        bet,
        row(refund, rejected("PLAYER_BLOCKED")),
        QUIET_MS,
      ),
    ),
    "pending",
  );
});

const OTHERS = {
  amount: { amountMinor: 251n },
  player_id: { playerId: "eva" as never },
  round_id: { roundId: "other" },
  currency: { currency: "USD" as const },
};

test("other content under the same id is refused if the row is pending, successful or failed, and the refusal names the field", (t) => {
  for (const state of [STATES.pending, STATES.success, STATES.failed]) {
    for (const [field, other] of Object.entries(OTHERS)) {
      t.is(
        textOf(decideOriginal(row(bet, state), content(other), undefined, QUIET_MS)),
        `TRANSACTION_MISMATCH ${field}`,
      );
      t.is(
        textOf(decideReversal(row(refund, state), { ...refund, ...other }, row(bet, STATES.success), QUIET_MS)),
        `TRANSACTION_MISMATCH ${field}`,
      );
    }
    t.is(
      textOf(decideOriginal(row(bet, state), { ...win, txId: bet.txId }, undefined, QUIET_MS)),
      "TRANSACTION_MISMATCH action",
    );
  }
});

test("decideOriginal: any original may use a void row without a mark; if the row has a mark, the request is refused", (t) => {
  t.is(textOf(decideOriginal(row({ ...win, txId: bet.txId }, STATES.void), bet, undefined, QUIET_MS)), "adopt");
  t.is(
    textOf(
      decideOriginal(row(bet, STATES.void, { reversedBy: refund.txId }), bet, row(refund, STATES.pending), QUIET_MS),
    ),
    "TRANSACTION_REVERSED",
  );
  t.is(
    textOf(
      decideOriginal(
        row({ ...win, txId: bet.txId }, STATES.void, { reversedBy: rollback.txId }),
        bet,
        undefined,
        QUIET_MS,
      ),
    ),
    "TRANSACTION_MISMATCH action",
  );
});

const reversals = (
  reversed: Partial<Transaction>,
  own: State = STATES.void,
  books: Partial<Transaction> = {},
  request: typeof refund | null = refund,
): string => textOf(decideReversal(row(refund, own, books), request, row(bet, STATES.success, reversed), QUIET_MS));

test("decideReversal: a void reversal tries to set the mark, or follows the reversal that has set it", (t) => {
  t.is(reversals({}), "mark");
  t.like(
    decideReversal(row(refund, STATES.void), refund, row(bet, STATES.success, { reversedBy: id("first") }), QUIET_MS),
    {
      do: "follow",
      owner: id("first"),
    },
  );
});

test("decideReversal returns the expected decision for each status of a marked refund, for a request and for the worker", (t) => {
  const marked = { reversedBy: refund.txId };
  t.deepEqual(
    (["pending", "success", "failed"] as const).map((status) => [
      reversals(marked, STATES[status]),
      reversals(marked, STATES[status], {}, null),
    ]),
    [
      ["call", "call"],
      ["success", "success"],
      ["call", "failed INSUFFICIENT_FUNDS"],
    ],
  );
});

test("decideReversal waits while the reversal's own call or the reversed row's call is in flight", (t) => {
  t.like(decideReversal(row(refund, STATES.pending, LIVE), refund, row(bet, STATES.pending), QUIET_MS), {
    do: "wait",
    key: { txId: refund.txId },
  });
  t.like(decideReversal(row(refund, STATES.pending), refund, row(bet, STATES.pending, LIVE), QUIET_MS), {
    do: "wait",
    key: { txId: bet.txId },
  });
});

test("decideReversal sends a refund even before the quiet period is over, and the decision says so; a rollback waits for the end of the period", (t) => {
  for (const books of [{ silentAt: NOW - QUIET_MS + 1 }, { leaseUntil: NOW - QUIET_MS + 1 }]) {
    t.is(
      textOf(decideReversal(row(refund, STATES.pending), refund, row(bet, STATES.pending, books), QUIET_MS)),
      "call, not quiet",
    );
    t.is(
      textOf(decideReversal(row(rollback, STATES.pending), rollback, row(win, STATES.pending, books), QUIET_MS)),
      "pending",
    );
  }
  for (const books of [{ silentAt: NOW - QUIET_MS }, { leaseUntil: NOW - QUIET_MS }, {}]) {
    t.is(
      textOf(decideReversal(row(refund, STATES.pending), refund, row(bet, STATES.pending, books), QUIET_MS)),
      "call",
    );
    t.is(
      textOf(decideReversal(row(rollback, STATES.pending), rollback, row(win, STATES.pending, books), QUIET_MS)),
      "call",
    );
  }
});

test("decideReversal: a rejected rollback is final", (t) => {
  t.is(
    textOf(decideReversal(row(rollback, rejected("PLAYER_BLOCKED")), rollback, row(win, STATES.success), QUIET_MS)),
    "failed PLAYER_BLOCKED",
  );
});

test("decideReversal refuses a reference to a transaction of another action, amount or player", (t) => {
  const against = (reversed: Transaction): string =>
    textOf(decideReversal(row(refund, STATES.void), refund, reversed, QUIET_MS));
  t.is(against(row({ ...win, txId: bet.txId }, STATES.success)), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(against(row({ ...refund, txId: bet.txId }, STATES.success)), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(against(row(content({ amountMinor: 100n }), STATES.success)), "TRANSACTION_MISMATCH amount");
  t.is(against(row(content({ playerId: "eva" as never }), STATES.success)), "TRANSACTION_MISMATCH player_id");
});

test("decideReversal accepts any void row without a mark as the reference", (t) => {
  t.is(
    textOf(
      decideReversal(
        row(refund, STATES.void),
        refund,
        row({ ...win, txId: bet.txId, amountMinor: 1n }, STATES.void),
        QUIET_MS,
      ),
    ),
    "mark",
  );
});
