/** The rules of Plays and settlements, as far as they can be judged from outside: by replies, rows and wallet calls. */
import type { Transaction } from "../../src/domain/transaction/transaction.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import { type OutsideRecord, type Violation, violation } from "./record.ts";

export const checkProviderApi = (record: OutsideRecord): Violation[] => [
  ...settledAsTold(record),
  ...bothMarks(record),
  ...leftBehind(record),
  ...unfounded(record),
];

/** I14: a settlement that was told as a success is on its bet. This includes settlements of 0, which have no row. */
function settledAsTold({ operations, rows }: OutsideRecord): Violation[] {
  return operations.flatMap(({ content, outcome }) => {
    if (content.bet?.settles !== true || outcome.kind !== "ok") return [];
    const bet = rows.get(keyText({ merchantId: content.merchantId, txId: content.bet.txId }))?.transaction;
    return bet?.settledBy === content.txId
      ? []
      : [violation("I14", keyText(content), `told ${outcome.status}, but its bet is settled by ${bet?.settledBy}`)];
  });
}

/** I14: a bet that is settled has no refund whose every request asked for an unsettled bet. */
function bothMarks({ operations, rows }: OutsideRecord): Violation[] {
  const asked = Map.groupBy(operations, ({ content }) => keyText(content));
  return [...rows].flatMap(([key, { transaction: bet }]) => {
    if (bet.settledBy === null || bet.reversedBy === null) return [];
    const requests = asked.get(keyText({ merchantId: bet.merchantId, txId: bet.reversedBy })) ?? [];
    return requests.some(({ content }) => content.unlessSettled !== true)
      ? []
      : [violation("I14", key, `settled by ${bet.settledBy} and reversed by ${bet.reversedBy}`)];
  });
}

/** Whether this row is the win of this bet's Play, and nothing has become of it. */
export const waitsFor = (win: Transaction | undefined, bet: Transaction): boolean =>
  win?.status === "void" && win.reversedBy === null && win.bet?.txId === bet.txId;

/** I18: no win waits for a bet that took its stake and keeps it. */
function leftBehind({ rows }: OutsideRecord): Violation[] {
  return [...rows].flatMap(([key, { transaction: bet }]) => {
    if (bet.playWin === null || bet.status !== "success" || bet.reversedBy !== null) return [];
    const win = rows.get(keyText({ merchantId: bet.merchantId, txId: bet.playWin }))?.transaction;
    return waitsFor(win, bet) ? [violation("I18", key, `its win ${bet.playWin} still waits`)] : [];
  });
}

/**
 * I18: a bet fails without a call only if its win could not be paid, and no win is sent for a bet that is not a
 * success.
 */
function unfounded({ rows, calls }: OutsideRecord): Violation[] {
  const sent = new Set(calls.map(({ content }) => keyText(content)));
  return [...rows].flatMap(([key, { transaction: row }]) => {
    const refused = row.status === "failed" && row.playWin !== null && !sent.has(key) && row.resolvedBy === null;
    if (refused && row.error !== "TRANSACTION_MISMATCH" && row.error !== "TRANSACTION_REVERSED")
      return [violation("I18", key, `failed with ${row.error}, and was never sent`)];
    const bet = row.bet && rows.get(keyText({ merchantId: row.merchantId, txId: row.bet.txId }))?.transaction;
    return row.bet !== undefined && sent.has(key) && bet?.status !== "success"
      ? [violation("I18", key, `sent, and its bet is ${bet?.status}`)]
      : [];
  });
}
