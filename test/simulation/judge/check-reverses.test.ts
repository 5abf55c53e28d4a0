/** Tests the judge of Reverse. Each test breaks I15 in a correct record, and the judge must report it. */
import test from "ava";
import { NEVER, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { Operation, RunRecord, StoredRow } from "../../../testbed/judge/record.ts";
import { checkReverses } from "./check-reverses.ts";
import { BET, call, content, id, operation, REJECTED, reply, row, VALID_RECORD, write } from "./valid-record.ts";

const UNKNOWN = content("unknown", "bet");
const SEALED = row(UNKNOWN, { status: "void" }, { reversedBy: id("r"), resolvedBy: "sealed" });
const WRITTEN = write(8_900, 20, SEALED, row(UNKNOWN, { status: "void" }));
type Told = NonNullable<NonNullable<Operation["reverse"]>["as"]>;
const reversed = (of: string, as: Told, deliver = false): Operation => ({
  ...operation(content("r", as === "rollback" ? "rollback" : "refund", id(of)), 9_000, { kind: "uncalled" }),
  reverse: { deliver, as },
});
const withRow = (transaction: Transaction): RunRecord["rows"] =>
  new Map<string, StoredRow>([...VALID_RECORD.rows, [`1/${transaction.txId}`, { transaction, feedSeq: 1n }]]);
const found = (operations: Operation[], more: Partial<RunRecord> = {}): number =>
  checkReverses({ ...VALID_RECORD, operations: [...VALID_RECORD.operations, ...operations], ...more }).length;
const writes = [...VALID_RECORD.writes, WRITTEN];

test("a marked id and a rejected bet are accepted", (t) => {
  t.is(found([reversed("unknown", "marked")], { rows: withRow(SEALED), writes }), 0);
  t.is(found([reversed("rejected", "nothing")]), 0);
});

test("the judge reports an id that was told as marked, and is not, or was sent", (t) => {
  t.is(found([reversed("bet", "marked")]), 1);
  t.is(found([reversed("unknown", "marked")]), 1);
  const calls = [...VALID_RECORD.calls, call(UNKNOWN, 9_500, { kind: "silent" })];
  t.is(found([reversed("unknown", "marked")], { rows: withRow(SEALED), writes, calls }), 1);
});

test("the judge reports a bet that was told to need nothing, and was accepted", (t) => {
  t.is(found([reversed("bet", "nothing")]), 1);
  const effects = [...VALID_RECORD.effects, { ...VALID_RECORD.effects[0], txId: REJECTED.txId } as never];
  t.is(found([reversed("rejected", "nothing")], { effects }), 1);
});

test("the judge reports a mark that nobody asked for, and a wrong word about what was reversed", (t) => {
  t.is(found([], { rows: withRow(SEALED), writes }), 1);
  const told = { ...reversed("bet", "refund"), reverse: { deliver: false, as: "rollback" as const } };
  t.is(found([{ ...told, outcome: reply(BET, "success") }]), 1);
});

test("the judge reports a delivered rollback that never ended, and no other", (t) => {
  const rollback = content("r", "rollback", id("win"));
  const rows = withRow(row(rollback, { status: "pending" }, { nextAt: NEVER }));
  const asked = (deliver: boolean): Operation => ({
    ...reversed("win", "rollback", deliver),
    outcome: { kind: "unknown" },
  });
  t.is(found([asked(true)], { rows }), 1);
  t.is(found([asked(false)], { rows }), 0);
  t.is(found([asked(true)], { rows, healed: false }), 0);
});
