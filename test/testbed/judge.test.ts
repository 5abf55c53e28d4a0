import test from "ava";
import { transactionBody } from "../../src/adapters/wallet-http/callback.ts";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { checkOutside } from "../../testbed/judge/check-outside.ts";
import { callsOf, checkReports, type Report, type Standstill, signatures } from "../../testbed/judge/judge.ts";
import type { OutsideRecord } from "../../testbed/judge/record.ts";
import type { LedgerLine } from "../../testbed/wallet/ledger-file.ts";
import { BET, key, REFUND, REJECTED, TAKEN_BACK, VALID_RECORD, WIN } from "../simulation/judge/valid-record.ts";

const HOUR = 1_767_225_600_000;
let calls = 0;

/** A callback in the form of the wallet's records. It is received at the time `at` and ends 50 ms later. */
function callback(
  content: Content,
  at: number,
  error: string | null = null,
  how: "replied" | "cut" = "replied",
): LedgerLine[] {
  const call = ++calls;
  const answer =
    how === "cut" ? null : error === null ? ({ ok: true, balance: 1 } as const) : ({ ok: false, error } as const);
  const received = {
    call,
    at: HOUR + at,
    merchant: "north",
    attempt: 1,
    requestId: `r${call}`,
    body: transactionBody(content),
    signature: "ok",
  };
  return [
    { kind: "received", ...received },
    { kind: "ended", call, at: HOUR + at + 50, how, answer },
  ];
}

/** The callbacks of the correct run VALID_RECORD. */
const LINES: readonly LedgerLine[] = [
  ...callback(BET, 10),
  ...callback(TAKEN_BACK, 1_010),
  ...callback(REFUND, 2_010),
  ...callback(REJECTED, 4_010, "INSUFFICIENT_FUNDS"),
  ...callback(WIN, 6_010, null, "cut"),
  ...callback(WIN, 7_200),
];
const REPORTS: readonly Report[] = [{ merchantId: 1, bets: 500n, wins: 250n, refunds: 250n, rollbacks: 0n }];

function violations(
  lines: readonly LedgerLine[],
  change: Partial<OutsideRecord> = {},
  reports = REPORTS,
  standstills: readonly Standstill[] = [],
): string[] {
  const processFaults = standstills.map(({ at, until }) => ({ kind: "pause" as const, replica: 0, at, until }));
  const record = {
    ...VALID_RECORD,
    processFaults,
    ...change,
    calls: callsOf(lines, VALID_RECORD.merchantIds, standstills),
  };
  return [...checkOutside(record), ...signatures(lines), ...checkReports(record, reports)].map(
    ({ invariant }) => invariant,
  );
}

const received = (line: LedgerLine): line is LedgerLine & { kind: "received" } => line.kind === "received";
const rewritten = (change: (line: LedgerLine & { kind: "received" }) => Partial<LedgerLine>): LedgerLine[] =>
  LINES.map((line) => (received(line) ? ({ ...line, ...change(line) } as LedgerLine) : line));

test("the judge finds no violation if a ledger, a history, rows and reports agree", (t) => {
  t.deepEqual(violations(LINES), []);
});

test("the judge reports a callback whose signature is wrong", (t) => {
  t.true(violations(rewritten(() => ({ signature: "mismatch" }))).includes("I13"));
});

test("the judge reports a wrong amount, an amount that isn't in its shortest form, and an id without a request", (t) => {
  t.true(violations(rewritten(({ body }) => ({ body: body.replace("2.5", "2.51") }))).includes("I2"));
  t.true(violations(rewritten(({ body }) => ({ body: body.replace("2.5", "2.50") }))).includes("I12"));
  t.true(violations([...LINES, ...callback({ ...BET, txId: "ACME:other" as Content["txId"] }, 9_000)]).includes("I2"));
});

test("the judge reports an effect that the wallet has twice, or that has no row", (t) => {
  t.true(violations(LINES, { effects: [...VALID_RECORD.effects, ...VALID_RECORD.effects.slice(0, 1)] }).includes("I1"));
  t.true(
    violations(LINES, { rows: new Map([...VALID_RECORD.rows].filter(([at]) => at !== key("bet"))) }).includes("I3"),
  );
});

test("the judge reports two calls of one transaction at once, unless a process was paused inside the first call", (t) => {
  const twice = [...LINES, ...callback(BET, 30)];
  t.true(violations(twice).includes("I9"));
  t.deepEqual(violations(twice, {}, REPORTS, [{ at: HOUR + 20, until: HOUR + 25, keys: [] }]), []);
});

test("the call of a killed process ends when the process dies, not when its socket closes", (t) => {
  const lines = [...LINES, ...callback(BET, 30, null, "cut"), ...callback(BET, 70)].filter((line) => line.call !== 1);
  t.true(violations(lines).includes("I9"));
  const calls = callsOf(lines, VALID_RECORD.merchantIds, [], [HOUR + 40]);
  t.deepEqual(checkOutside({ ...VALID_RECORD, calls }), []);
});

test("the judge reports a bet that comes after its refund, unless the bet's process was paused before the send", (t) => {
  const late = [...LINES, ...callback(TAKEN_BACK, 2_500)];
  t.true(violations(late).includes("I7"));
  t.deepEqual(
    violations(late, {}, REPORTS, [{ at: HOUR + 1_900, until: HOUR + 2_450, keys: [key("taken back")] }]),
    [],
  );
});

test("the judge reports a rejected bet that is sent again after its provider got the rejection", (t) => {
  t.true(violations([...LINES, ...callback(REJECTED, 9_000)]).includes("I8"));
});

test("the judge reports a report that is one cent wrong, or that counts pending transactions", (t) => {
  t.deepEqual(violations(LINES, {}, [{ ...(REPORTS[0] as Report), wins: 251n }]), ["I11"]);
  t.deepEqual(violations(LINES, {}, [{ ...(REPORTS[0] as Report), rollbacks: 1n }]), ["I11"]);
});
