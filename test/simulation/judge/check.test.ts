/** Tests the judge. Each test breaks an invariant in a correct record, and the judge must report this violation. */
import test from "ava";
import { NOT_FOUND } from "../../../src/domain/transaction/reversal.ts";
import { type Content, NEVER, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { Command, Outcome, RunRecord, StoredRow, WalletCall } from "../../../testbed/judge/record.ts";
import { check } from "./check.ts";
import { checkHeld } from "./check-held.ts";
import {
  BET,
  call,
  content,
  effect,
  id,
  key,
  operation,
  REFUND,
  REJECTED,
  reply,
  row,
  SUCCESS,
  TAKEN_BACK,
  VALID_RECORD,
  WIN,
  write,
} from "./valid-record.ts";

const ACCEPTED = { kind: "accepted", balanceMinor: 100n } as const;
const REVERSED = { kind: "refused", code: "TRANSACTION_REVERSED" } as const;
const SILENT = { kind: "silent" } as const;

const withRow = (own: string, change: Partial<Transaction>, stored: Partial<StoredRow> = {}): RunRecord["rows"] =>
  new Map(
    [...VALID_RECORD.rows].map(([at, one]) => [
      at,
      at === key(own) ? { ...one, ...stored, transaction: { ...one.transaction, ...change } as Transaction } : one,
    ]),
  );
const without = (own: string): RunRecord["rows"] => new Map([...VALID_RECORD.rows].filter(([at]) => at !== key(own)));
const also = <T>(list: readonly T[], ...more: T[]): T[] => [...list, ...more];
const pendingBet = row(BET, { status: "pending" });

const UNSEEN = content("unseen", "bet");

const NOTHING_MOVED = { kind: "ok", status: "success", error: "", txId: "" } as const;
const MISMATCH = { kind: "refused", code: "TRANSACTION_MISMATCH" } as const;
const ZERO_REFUND = content("refund of 0", "refund", BET.txId);
const zero = (what: Content, outcome: Outcome) => operation({ ...what, amountMinor: 0n }, 9_000, outcome);

/** A rollback fails, and the statement does not change its win. */
const ROLLBACK = content("rollback", "rollback", WIN.txId);
const MARKED = { reversedBy: ROLLBACK.txId };
const HELD = [
  write(8_000, 20, row(WIN, { status: "pending" }, MARKED)),
  write(8_000, 20, row(ROLLBACK, { status: "pending" })),
];
const ENDED = write(
  9_000,
  21,
  row(ROLLBACK, { status: "failed", error: "LIMIT" }),
  row(ROLLBACK, { status: "pending" }),
);

/** Support closes the bet. */
const CLOSED = write(9_000, 20, row(BET, { status: "failed", error: "UNKNOWN" }, { resolvedBy: "manual" }), pendingBet);
const CLOSE_COMMAND: Command = {
  what: "close",
  key: key("bet"),
  invokedAt: VALID_RECORD.endedAt - 92_000,
  outcome: "done",
};

const BROKEN: Record<string, [string, Partial<RunRecord>]> = {
  "a thrown error": ["I0", { bugs: ["Error: was there and is gone"] }],
  "an effect that happened twice": ["I1", { effects: also(VALID_RECORD.effects, effect(BET)) }],
  "a success that was never applied": ["I1", { effects: VALID_RECORD.effects.filter(({ txId }) => txId !== BET.txId) }],
  "a call without a request": ["I2", { calls: also(VALID_RECORD.calls, call(content("bet-2", "bet"), 90, ACCEPTED)) }],
  "a call with another amount than its request": [
    "I2",
    { calls: also(VALID_RECORD.calls, call({ ...WIN, amountMinor: 9n }, 9_000, ACCEPTED)) },
  ],
  "two calls for a bet that was requested once": [
    "I2",
    { calls: also(VALID_RECORD.calls, call(BET, 9_000, SILENT, 2)) },
  ],
  "an effect without a call": [
    "I2",
    { calls: VALID_RECORD.calls.filter(({ content: { txId } }) => txId !== BET.txId) },
  ],
  "an effect without a row": ["I3", { rows: without("bet") }],
  "a PENDING for a win without a row": [
    "I3",
    {
      operations: also(
        VALID_RECORD.operations,
        operation(content("gone", "win"), 9_000, reply(content("gone", "win"), "pending")),
      ),
    },
  ],
  "a rejection that was not recorded": ["I3", { rows: withRow("rejected", { status: "pending" }) }],
  "a successful bet that fails later": [
    "I4",
    {
      writes: also(
        VALID_RECORD.writes,
        write(9_000, 20, row(BET, { status: "failed", error: "X" }), row(BET, SUCCESS)),
      ),
    },
  ],
  "a failed bet that becomes pending again": [
    "I4",
    { writes: also(VALID_RECORD.writes, write(9_000, 20, pendingBet, row(BET, { status: "failed", error: "X" }))) },
  ],
  "a failed bet that succeeds without a reversal": [
    "I4",
    {
      writes: also(
        VALID_RECORD.writes,
        write(9_000, 20, row(BET, SUCCESS), row(BET, { status: "failed", error: "X" })),
      ),
    },
  ],
  "a FAILED for a bet that got SUCCESS before": [
    "I4",
    { operations: also(VALID_RECORD.operations, operation(BET, 9_000, reply(BET, "failed", "X"))) },
  ],
  "a rejection with another error than before": [
    "I4",
    {
      operations: also(
        VALID_RECORD.operations,
        operation(REJECTED, 9_000, reply(REJECTED, "failed", "PLAYER_BLOCKED")),
      ),
    },
  ],
  "a rejected bet that gets TRANSACTION_REVERSED later": [
    "I4",
    { operations: also(VALID_RECORD.operations, operation(REJECTED, 9_000, REVERSED)) },
  ],
  "a reversed bet that gets SUCCESS again": [
    "I4",
    { operations: also(VALID_RECORD.operations, operation(TAKEN_BACK, 9_000, reply(TAKEN_BACK, "success"))) },
  ],
  "a success whose row is pending": ["I4", { writes: [], rows: withRow("bet", { status: "pending" }) }],
  "a rejected bet that is sent after its provider got the rejection": [
    "I8",
    { writes: [], calls: also(VALID_RECORD.calls, call(REJECTED, 9_000, SILENT)) },
  ],
  "a reply before its row was written": [
    "I4",
    {
      operations: VALID_RECORD.operations.map((one) =>
        one.content === BET ? { ...one, endedAt: one.invokedAt + 60 } : one,
      ),
    },
  ],
  "a success without an effect": ["I5", { effects: VALID_RECORD.effects.filter(({ txId }) => txId !== WIN.txId) }],
  "a success whose effect has another amount": [
    "I5",
    { effects: VALID_RECORD.effects.map((one) => (one.txId === WIN.txId ? { ...one, deltaMinor: 1n } : one)) },
  ],
  "a failed bet that was applied": ["I5", { effects: also(VALID_RECORD.effects, effect(REJECTED)) }],
  "a credit that stays pending": ["I6", { rows: withRow("win", { status: "pending" }) }],
  "calls for two refunds of one bet": [
    "I7",
    { calls: also(VALID_RECORD.calls, call(content("refund 2", "refund", id("taken back")), 9_000, SILENT)) },
  ],
  "a bet that is sent after its refund": ["I7", { calls: also(VALID_RECORD.calls, call(TAKEN_BACK, 9_000, ACCEPTED)) }],
  "a bet and a refund whose sum is not zero": [
    "I7",
    { effects: VALID_RECORD.effects.filter(({ txId }) => txId !== TAKEN_BACK.txId) },
  ],
  "a rejected bet that is sent again": ["I8", { calls: also(VALID_RECORD.calls, call(REJECTED, 9_000, SILENT)) }],
  "a rejected win that is sent again without a repeat": [
    "I8",
    {
      writes: also(
        VALID_RECORD.writes,
        write(6_100, 20, row(WIN, { status: "failed", error: "X" }), row(WIN, { status: "pending" })),
      ),
    },
  ],
  "other content of a known id that is not refused": [
    "I8",
    { operations: also(VALID_RECORD.operations, operation({ ...BET, amountMinor: 9n }, 9_000, reply(BET, "success"))) },
  ],
  "a refund of 0 of a known bet that gets SUCCESS": [
    "I8",
    { operations: also(VALID_RECORD.operations, zero(ZERO_REFUND, NOTHING_MOVED)) },
  ],
  "a repeat with amount 0 that gets SUCCESS": [
    "I8",
    { operations: also(VALID_RECORD.operations, zero(BET, NOTHING_MOVED)) },
  ],
  "a bet of 0 that gets PENDING": [
    "I8",
    { operations: also(VALID_RECORD.operations, zero(UNSEEN, { ...NOTHING_MOVED, status: "pending" })) },
  ],
  "a refund of 0 of an unknown bet that is refused": [
    "I8",
    { operations: also(VALID_RECORD.operations, zero({ ...ZERO_REFUND, refTxId: UNSEEN.txId }, MISMATCH)) },
  ],
  "a row with amount 0": [
    "I8",
    { writes: also(VALID_RECORD.writes, write(9_000, 20, { ...pendingBet, txId: id("zero"), amountMinor: 0n })) },
  ],
  "a call with amount 0": [
    "I2",
    {
      operations: also(VALID_RECORD.operations, zero(UNSEEN, NOTHING_MOVED)),
      calls: also(VALID_RECORD.calls, call({ ...UNSEEN, amountMinor: 0n }, 9_010, ACCEPTED)),
    },
  ],
  "two calls of one bet at once": ["I9", { calls: also(VALID_RECORD.calls, call(BET, 30, ACCEPTED)) }],
  "a resend before its time": ["I10", { calls: also(VALID_RECORD.calls.slice(0, -1), call(WIN, 6_900, ACCEPTED, 2)) }],
  "a resend long after its time": [
    "I10",
    { calls: also(VALID_RECORD.calls.slice(0, -1), call(WIN, 9_000, ACCEPTED, 2)) },
  ],
  "a resend after the horizon": ["I10", { horizonMs: -2_000 }],
  "a failed rollback that does not make its win due": ["I10", { writes: [...HELD, ENDED] }],
  "a held win that is due too late": [
    "I10",
    {
      writes: [
        ...HELD,
        ENDED,
        write(9_000, 21, row(WIN, { status: "pending" }, { ...MARKED, nextAt: ENDED.after.updatedAt + 9_000 })),
      ],
    },
  ],
  "a bet that was closed by hand without a command": ["I9", { writes: also(VALID_RECORD.writes, CLOSED) }],
  "a bet that was closed by hand during its call": [
    "I9",
    {
      writes: also(VALID_RECORD.writes, CLOSED),
      commands: [CLOSE_COMMAND],
      calls: also(VALID_RECORD.calls, call(BET, 8_990, SILENT)),
    },
  ],
  "a change that keeps the old number of its row": [
    "I11",
    { writes: also(VALID_RECORD.writes, { ...CLOSED, feedSeq: 9n }) },
  ],
  "a number that leaves a gap": [
    "I11",
    { writes: also(VALID_RECORD.writes, { ...write(9_000, 20, pendingBet, pendingBet), feedSeq: 2n }) },
  ],
  "a refund that is a success before its bet": [
    "I11",
    {
      writes: also(
        VALID_RECORD.writes,
        write(9_000, 20, row({ ...REFUND, refTxId: id("x") }, SUCCESS), row(REFUND, { status: "pending" })),
      ),
    },
  ],
  "a refund that keeps the time of its void row": [
    "I11",
    {
      writes: VALID_RECORD.writes.map((one) =>
        one.key === key("refund") && one.after.status !== "void"
          ? { ...one, after: { ...one.after, createdAt: 1 } }
          : one,
      ),
    },
  ],
  "an unseen bet that keeps the time of its void row": [
    "I11",
    {
      writes: also(
        VALID_RECORD.writes,
        write(
          9_000,
          20,
          row(UNSEEN, SUCCESS, { reversedBy: REFUND.txId, createdAt: 1 }),
          row(UNSEEN, { status: "void" }, { reversedBy: REFUND.txId }),
        ),
      ),
    },
  ],
  "a report without the sums of the rows": ["I11", { sums: new Map() }],
  "a change without a number": ["I11", { rows: withRow("win", {}, { feedSeq: null }) }],
  "a number that two rows have": ["I11", { rows: withRow("win", {}, { feedSeq: 1n }) }],
  "a call whose amount has a trailing zero": [
    "I12",
    { calls: VALID_RECORD.calls.map((one) => ({ ...one, body: one.body.replace("2.5", "2.50") })) },
  ],
  "a due time with a fraction of a millisecond": [
    "I13",
    { writes: also(VALID_RECORD.writes, write(9_000, 20, row(WIN, { status: "pending" }, { nextAt: 9_000.5 }))) },
  ],
  "a call whose body has another player": [
    "I12",
    { calls: VALID_RECORD.calls.map((one) => ({ ...one, body: one.body.replace("ana", "eva") })) },
  ],
};

test("check finds nothing in a correct run", (t) => {
  t.deepEqual(check(VALID_RECORD), []);
});

for (const [what, [invariant, change]] of Object.entries(BROKEN)) {
  test(`check reports that invariant ${invariant} is broken by ${what}`, (t) => {
    t.true(
      check({ ...VALID_RECORD, ...change }).some((one) => one.invariant === invariant),
      JSON.stringify(check({ ...VALID_RECORD, ...change })),
    );
  });
}

test("check accepts a credit that a late copy applied after its rejection, and no other such credit", (t) => {
  const late = { status: "failed", error: "PLAYER_BLOCKED", silentAt: 1 } as const;
  const operations = VALID_RECORD.operations;
  t.deepEqual(check({ ...VALID_RECORD, healed: false, operations, rows: withRow("win", late) }), []);
  t.true(
    check({ ...VALID_RECORD, healed: false, rows: withRow("win", { ...late, silentAt: null }) }).some(
      ({ invariant }) => invariant === "I5",
    ),
  );
});

test("check accepts two calls at once if the database's clock shortened a lease, and only then", (t) => {
  const calls = also(VALID_RECORD.calls, call(BET, 30, ACCEPTED));
  const [{ begunAt }] = VALID_RECORD.calls as [WalletCall];
  const found = (forwardAt: number[]) =>
    check({ ...VALID_RECORD, calls, forwardAt }).filter(({ invariant }) => invariant === "I9");
  t.deepEqual(found([begunAt + 10]), []);
  t.is(found([begunAt + 1_000]).length, 1);
});

test("check accepts a held win that is due when its rollback ends, that is never due, or whose rollback was not found", (t) => {
  const due = (nextAt: number) => write(9_000, 21, row(WIN, { status: "pending" }, { ...MARKED, nextAt }));
  const found = (...writes: RunRecord["writes"]) => checkHeld({ ...VALID_RECORD, writes });
  t.deepEqual(found(...HELD, ENDED, due(ENDED.after.updatedAt)), []);
  t.deepEqual(found(due(NEVER), ENDED), []);
  t.deepEqual(found(...HELD, { ...ENDED, after: row(ROLLBACK, { status: "failed", error: NOT_FOUND }) }), []);
});

test("check accepts that amount 0 is refused if the id is known with other content, and succeeds if the transaction is unknown", (t) => {
  const zeroOperations = [
    zero(ZERO_REFUND, MISMATCH),
    zero({ ...ZERO_REFUND, refTxId: UNSEEN.txId }, NOTHING_MOVED),
    zero(UNSEEN, NOTHING_MOVED),
  ];
  t.deepEqual(check({ ...VALID_RECORD, operations: also(VALID_RECORD.operations, ...zeroOperations) }), []);
});

test("check accepts a bet that support closed by a ledger that had changed meanwhile, and a requested resend at any time", (t) => {
  const rows = withRow("bet", { status: "failed", error: "UNKNOWN" });
  const writes = also(VALID_RECORD.writes, CLOSED);
  const checkClosed = (closedUnseen: string[]) =>
    check({
      ...VALID_RECORD,
      rows,
      writes,
      healed: false,
      commands: [CLOSE_COMMAND],
      closedUnseen: new Set(closedUnseen),
    });
  t.false(checkClosed([key("bet")]).some(({ invariant }) => invariant === "I5"));
  t.true(checkClosed([]).some(({ invariant }) => invariant === "I5"));
  const early = also(VALID_RECORD.calls.slice(0, -1), call(WIN, 6_900, ACCEPTED, 2));
  t.deepEqual(
    check({ ...VALID_RECORD, calls: early, commands: [{ ...CLOSE_COMMAND, what: "resend", key: key("win") }] }),
    [],
  );
});

test("for a run that was cut off, check needs neither final credits nor sums", (t) => {
  t.deepEqual(
    check({
      ...VALID_RECORD,
      healed: false,
      sums: new Map(),
      rows: withRow("win", { status: "pending" }, { feedSeq: null }),
    }),
    [],
  );
});
