/** Tests the judge of labels. Each test breaks I17 in a correct record, and the judge must report it. */
import test from "ava";
import type { Transaction } from "../../../../src/domain/transaction/transaction.ts";
import type { Labels } from "../../../../src/domain/values/labels.ts";
import type { Operation, Outcome, RunRecord, Write } from "../../../../testbed/judge/record.ts";
import { content, operation, reply, row, SUCCESS, VALID_RECORD, write } from "../valid-record.ts";
import { checkLabels } from "./check-labels.ts";

const TIP: Labels = { kind: "tip", promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null };
const PROMO: Labels = { ...TIP, kind: "promo", promoId: "p1" };
const WIN = { ...content("labelled", "win"), labels: PROMO };
const open = (labels?: Labels) => row({ ...WIN, labels }, { status: "pending" });
const done = (labels?: Labels) => row({ ...WIN, labels }, SUCCESS);
const ASKED = operation(WIN, 9_000, reply(WIN, "success"));

const found = (writes: Write[], operations: Operation[] = [ASKED], body?: string): string[] => {
  const final = writes.at(-1)?.after as Transaction;
  const record: RunRecord = {
    ...VALID_RECORD,
    rows: new Map([...VALID_RECORD.rows, [`1/${WIN.txId}`, { transaction: final, feedSeq: 1n }]] as const),
    operations: [...VALID_RECORD.operations, ...operations],
    writes: [...VALID_RECORD.writes, ...writes],
    calls: [
      ...VALID_RECORD.calls,
      ...(body === undefined
        ? []
        : [{ content: final, body, attempt: 1, replica: 0, begunAt: 0, sentAt: 0, endedAt: 0, answer: null }]),
    ],
  };
  return checkLabels(record).map(({ what }) => what);
};

test("the labels of a request in its row and in its calls are accepted, and so is a row that only a reversal named", (t) => {
  const writes = [write(9_000, 20, open(PROMO)), write(9_010, 21, done(PROMO), open(PROMO))];
  t.deepEqual(found(writes, [ASKED], '{"kind":"promo","promo_id":"p1"}'), []);
  const unseen = { ...open(), reversedBy: WIN.txId };
  t.deepEqual(found([write(9_000, 20, unseen)]), []);
});

const refused: Outcome = { kind: "refused", code: "VALIDATION_ERROR" };
const BROKEN: Record<string, () => string[]> = {
  "a void row with labels": () => found([write(9_000, 20, row(WIN, { status: "void" }))]),
  "labels that change": () => found([write(9_000, 20, open(PROMO)), write(9_010, 21, done(TIP), open(PROMO))]),
  "labels that get lost": () => found([write(9_000, 20, open(PROMO)), write(9_010, 21, done(), open(PROMO))]),
  "labels that nobody gave": () => found([write(9_000, 20, open(TIP))]),
  "a row without the labels of its request": () => found([write(9_000, 20, open())]),
  "a call without the promotion": () => found([write(9_000, 20, open(PROMO))], [ASKED], '{"kind":"promo"}'),
  "a call with another kind": () => found([write(9_000, 20, open(PROMO))], [ASKED], '{"kind":"tip","promo_id":"p1"}'),
  "a win that its label refused": () => found([write(9_000, 20, open(PROMO))], [ASKED, operation(WIN, 9_000, refused)]),
};

for (const [what, broken] of Object.entries(BROKEN)) test(`the judge reports ${what}`, (t) => t.is(broken().length, 1));
