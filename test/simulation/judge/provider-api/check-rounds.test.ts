/** Tests the judge of rounds. Each test breaks I16 in a correct record, and the judge must report it. */
import test from "ava";
import type { Operation, RoundWrite, RunRecord, Write } from "../../../../testbed/judge/record.ts";
import { checkRounds } from "../check-rounds.ts";

const game = { id: 11, code: "fruits", providerId: 3, provider: "ACME" };
const content = (txId: string, action: "bet" | "win", more: object = {}) => ({
  merchantId: 1,
  txId: `ACME:${txId}`,
  action,
  roundId: "r",
  amountMinor: 100n,
  game,
  unlessEnded: true,
  ...more,
});
const told = (of: object, invokedAt: number, endedAt: number, outcome: object): Operation =>
  ({ content: of, invokedAt, endedAt, timeoutMs: 1_000, outcome }) as unknown as Operation;
const success = { kind: "ok", status: "success", error: "", txId: "" };
const write = (of: object, at: number, statement: number, status: string): Write =>
  ({
    at,
    statement,
    key: `1/${(of as { txId: string }).txId}`,
    before: undefined,
    after: { ...of, status, attempts: 1, leaseUntil: null },
  }) as unknown as Write;
const ended = (at: number, statement: number, endedAt: number | null = at): RoundWrite => ({
  merchantId: 1,
  providerId: 3,
  roundId: "r",
  at,
  statement,
  endedAt,
});

const BET = content("b", "bet");
const WIN = content("w", "win", { roundEnded: true });
/** A bet, and a win that ends its round. */
const record = (more: Partial<RunRecord> = {}): RunRecord =>
  ({
    healed: true,
    operations: [told(BET, 1, 3, success), told(WIN, 4, 8, success)],
    writes: [write(BET, 2, 1, "pending"), write(WIN, 5, 2, "pending"), write(WIN, 6, 3, "success")],
    rows: new Map([["1/ACME:w", { transaction: { ...WIN, status: "success" }, feedSeq: 1n }]]),
    ends: [],
    roundWrites: [ended(3, 1, null), ended(7, 4)],
    ...more,
  }) as unknown as RunRecord;
const found = (more: Partial<RunRecord>): string[] => checkRounds(record(more)).map(({ what }) => what);

test("a correct record has no violation", (t) => t.deepEqual(found({}), []));

test("the judge reports each broken rule", (t) => {
  const late = content("late", "bet");
  const { operations, writes } = record();
  t.deepEqual(
    found({
      operations: [...operations, told(late, 9, 12, success)],
      writes: [...writes, write(late, 10, 5, "pending")],
    }),
    ["a bet after the end of its round by statement 4"],
  );
  t.deepEqual(found({ roundWrites: [ended(7, 4), ended(9, 5)] }), ["ended at 7, then at 9"]);
  t.deepEqual(found({ roundWrites: [ended(9, 4)] }), ["told of a success, but its round had not ended"]);
  t.deepEqual(found({ roundWrites: [], operations: [] }), ["a success, and the end of its round was lost"]);
  t.deepEqual(found({ operations: [told(BET, 1, 3, success)] }), ["ended, and nothing had ended it"]);
  const refused = { kind: "refused", code: "ROUND_ENDED" };
  for (const one of [content("v", "win"), BET])
    t.is(found({ operations: [...operations, told(one, 9, 10, refused)] }).length, 1, one.action);
  t.deepEqual(found({ operations: [...operations, told(late, 9, 10, refused)] }), []);
  const key = { merchantId: 1, providerId: 3, roundId: "other" };
  t.deepEqual(found({ ends: [{ key, invokedAt: 1, endedAt: 2 }] }), ["told that the round has ended, and it had not"]);
});
