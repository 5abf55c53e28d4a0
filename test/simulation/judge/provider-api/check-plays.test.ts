/** Tests the judge of Plays. Each test breaks I18 in a correct record, and the judge must report it. */
import test from "ava";
import type { Content, Transaction } from "../../../../src/domain/transaction/transaction.ts";
import { checkProviderApi } from "../../../../testbed/judge/check-provider-api.ts";
import type { RunRecord, Write } from "../../../../testbed/judge/record.ts";
import { content, row, SUCCESS, VALID_RECORD } from "../valid-record.ts";
import { checkPlays } from "./check-plays.ts";

const bet = content("b1", "bet");
const win: Content = { ...content("w1", "win"), bet: { txId: bet.txId, settles: false } };
const taken = row(bet, { status: "pending" }, { playWin: win.txId });
const waiting = row(win, { status: "void" }, { attempts: 0 });
const won = row(bet, SUCCESS, { playWin: win.txId });
const due = row(win, { status: "pending" });

const key = ({ merchantId, txId }: Content) => `${merchantId}/${txId}`;
const write = (statement: number, before: Transaction | undefined, after: Transaction): Write => ({
  at: 1_000 * statement,
  statement,
  key: key(after),
  before,
  after,
});

/** A Play whose bet was sent once, and whose win is pending. */
const RIGHT: readonly Write[] = [
  write(1, undefined, taken),
  write(1, undefined, waiting),
  write(2, taken, won),
  write(2, waiting, due),
];

const judged = (writes: readonly Write[], sent: readonly Content[] = [bet]): string[] => {
  const rows = new Map(writes.map(({ after }) => [key(after), { transaction: after, feedSeq: 1n }]));
  const calls = sent.map((one) => ({
    content: one,
    body: "",
    attempt: 1,
    replica: 0,
    begunAt: 1_500,
    sentAt: 1_500,
    endedAt: 1_600,
    answer: null,
  }));
  const record: RunRecord = { ...VALID_RECORD, writes, rows, calls };
  return [...checkPlays(record), ...checkProviderApi(record)].map(({ invariant, what }) => `${invariant} ${what}`);
};

test("a correct Play has no violation, also if a reversal stopped its win", (t) => {
  t.deepEqual(judged(RIGHT), []);
  const marked = { reversedBy: content("f1", "refund").txId };
  const stopped = row(bet, SUCCESS, { playWin: win.txId, ...marked });
  t.deepEqual(judged([...RIGHT.slice(0, 2), write(2, taken, stopped)]), []);
  t.deepEqual(judged([...RIGHT.slice(0, 3), write(2, waiting, { ...waiting, ...marked })]), []);
});

test("a success that leaves its win behind is reported", (t) => {
  t.deepEqual(judged(RIGHT.slice(0, 3)), [
    `I18 a success that leaves its win ${win.txId} behind`,
    `I18 its win ${win.txId} still waits`,
  ]);
  const late = [...RIGHT.slice(0, 3), write(3, waiting, due)];
  t.deepEqual(judged(late), [`I18 a success that leaves its win ${win.txId} behind`]);
});

test("a bet that is sent before its win is stored is reported", (t) => {
  t.deepEqual(judged([write(1, undefined, taken), write(2, undefined, waiting)]), [
    `I18 sent before its win ${win.txId} was stored`,
  ]);
});

test("a win that is sent for a bet without success is reported, and so is a bet that fails for no reason", (t) => {
  t.deepEqual(judged([write(1, undefined, taken), write(1, undefined, due)], [win]), [
    "I18 sent, and its bet is pending",
  ]);
  const failed = (error: string) => row(bet, { status: "failed", error }, { playWin: win.txId });
  t.deepEqual(judged([write(1, undefined, waiting), write(2, taken, failed("INSUFFICIENT_FUNDS"))], []), [
    "I18 failed with INSUFFICIENT_FUNDS, and was never sent",
  ]);
  t.deepEqual(judged([write(1, undefined, waiting), write(2, taken, failed("TRANSACTION_REVERSED"))], []), []);
});

test("a waiting win whose content changes is reported", (t) => {
  const { bet: _, ...unnamed } = due;
  t.deepEqual(judged([...RIGHT.slice(0, 3), write(2, waiting, { ...due, amountMinor: 1n })]), [
    "I18 the content of a waiting win changed",
  ]);
  t.deepEqual(judged([...RIGHT.slice(0, 3), write(2, waiting, unnamed)]), ["I18 the content of a waiting win changed"]);
});
