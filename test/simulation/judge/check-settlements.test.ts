/** Tests the judge of settlements. Each test breaks I14 in a correct record, and the judge must report it. */
import test from "ava";
import type { BetRef, Transaction, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import { checkProviderApi } from "../../../testbed/judge/check-provider-api.ts";
import type { Operation, Outcome, RunRecord, Write } from "../../../testbed/judge/record.ts";
import { checkSettlements } from "./check-settlements.ts";
import { BET, content, id, operation, reply, row, SUCCESS, VALID_RECORD, write } from "./valid-record.ts";

const NAMED: BetRef = { txId: BET.txId, settles: true };
const WIN: TransactionRequest = { ...content("settlement", "win"), bet: NAMED };
const REFUND: TransactionRequest = { ...content("refund of it", "refund", BET.txId), unlessSettled: true };
const ZERO: TransactionRequest = { ...WIN, txId: id("zero"), amountMinor: 0n };

const bet = (books: Partial<Transaction> = {}) => row(BET, SUCCESS, books);
const voided = (what: TransactionRequest) => {
  const { bet: _, unlessSettled: __, ...rest } = what;
  return row(rest, { status: "void" });
};
const paid = (what: TransactionRequest = WIN) => row(what, { status: "pending" });
const SETTLED = bet({ settledBy: WIN.txId });
const asked = (what: TransactionRequest, outcome: Outcome = reply(what, "success")) => operation(what, 9_000, outcome);
const refused = (what: TransactionRequest, code: string) => asked(what, { kind: "refused", code });

/** The bet is settled: the win's adoption and the mark are one statement. */
const PAID: Write[] = [
  write(8_900, 20, voided(WIN)),
  write(9_010, 21, SETTLED, bet()),
  write(9_010, 21, paid(), voided(WIN)),
];

const found = (operations: Operation[], writes: Write[], final: Transaction = SETTLED): string[] => {
  const rows = new Map([...VALID_RECORD.rows, [`1/${BET.txId}`, { transaction: final, feedSeq: 1n }]] as const);
  const record: RunRecord = {
    ...VALID_RECORD,
    rows,
    operations: [...VALID_RECORD.operations, ...operations],
    writes: [...VALID_RECORD.writes, ...writes],
  };
  return [...checkSettlements(record), ...checkProviderApi(record)].map(({ what }) => what);
};

test("a settlement, refused settlements and refunds after it, and a settlement of 0 are accepted", (t) => {
  const later = { ...WIN, txId: id("second") };
  t.deepEqual(found([asked(WIN), refused(later, "BET_SETTLED"), refused(REFUND, "BET_SETTLED")], PAID), []);
  const byZero = bet({ settledBy: ZERO.txId });
  const nothing: Outcome = { kind: "ok", status: "success", error: "", txId: "" };
  t.deepEqual(found([asked(ZERO, nothing)], [write(9_010, 20, byZero, bet())], byZero), []);
});

const BROKEN: Record<string, () => string[]> = {
  "a mark that changes": () =>
    found([asked(WIN)], [...PAID, write(9_020, 22, bet({ settledBy: id("other") }), SETTLED)]),
  "a mark that nobody asked for": () => found([], PAID),
  "a mark that was asked for by a win that does not settle": () =>
    found([asked({ ...WIN, bet: { ...NAMED, settles: false } }, { kind: "unknown" })], PAID),
  "a mark on a bet that a refund holds": () =>
    found(
      [asked(WIN)],
      [write(9_010, 21, bet({ settledBy: WIN.txId, reversedBy: id("r") }), bet({ reversedBy: id("r") }))],
    ),
  "a mark on a pending bet": () =>
    found(
      [asked(WIN)],
      [write(9_010, 21, { ...SETTLED, ...paid(BET) } as Transaction, paid(BET))],
      bet({ settledBy: WIN.txId }),
    ).concat(found([asked(WIN)], [write(9_010, 21, SETTLED, paid(BET))])),
  "a refund with its condition after the settlement": () =>
    found(
      [asked(WIN), asked(REFUND)],
      [...PAID, write(9_020, 22, bet({ settledBy: WIN.txId, reversedBy: REFUND.txId }), SETTLED)],
    ),
  "a settlement and a refund with its condition at the end": () =>
    found([asked(WIN), asked(REFUND)], [], bet({ settledBy: WIN.txId, reversedBy: REFUND.txId })),
  "a win of a bet without a row": () => {
    const lost = { ...WIN, bet: { txId: id("none"), settles: false } };
    return found([asked(lost)], [write(9_010, 21, paid(lost), voided(lost))]);
  },
  "a win of another player's bet": () => {
    const other = { ...WIN, playerId: "eva" as PlayerId, bet: { ...NAMED, settles: false } };
    return found([asked(other)], [write(9_010, 21, paid(other), voided(other))]);
  },
  "a settlement without a mark": () => found([asked(WIN)], [write(9_010, 21, paid(), voided(WIN))], SETTLED),
  "a settlement of 0 that was told and not recorded": () =>
    found([asked(ZERO, { kind: "ok", status: "success", error: "", txId: "" })], [], bet()),
  "BET_SETTLED for a bet that is not settled": () => found([refused(WIN, "BET_SETTLED")], [], bet()),
  "BET_PENDING for a bet that has its result": () => found([refused(WIN, "BET_PENDING")], [], bet()),
  "BET_NOT_FOUND for a bet that is known": () => found([refused(WIN, "BET_NOT_FOUND")], [], bet()),
  "TRANSACTION_REVERSED for a bet that nothing reversed": () =>
    found([refused(WIN, "TRANSACTION_REVERSED")], [], bet()),
};
for (const [what, violations] of Object.entries(BROKEN))
  test(`the judge reports ${what}`, (t) => t.not(violations().length, 0));
