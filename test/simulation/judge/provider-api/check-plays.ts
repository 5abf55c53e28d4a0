import type { Transaction } from "../../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../../src/domain/values/identifiers.ts";
import { type RunRecord, type Violation, violation } from "../../../../testbed/judge/record.ts";

type Find = (row: Transaction) => Transaction | undefined;

/**
 * I18: a Play is never half lost. Its win is stored before its bet is sent for the first time. The statement that makes
 * the bet a success also makes the win pending, unless a reversal came before. So a bet that took its stake never leaves
 * its win behind, and a bet that failed never pays it. A win that waits keeps its content.
 */
export function checkPlays(record: RunRecord): Violation[] {
  return [...together(record), ...stored(record), ...leftBehind(record), ...unfounded(record), ...frozen(record)];
}

/** Whether this row is the win of this bet's Play, and nothing has become of it. */
const waitsFor = (win: Transaction | undefined, bet: Transaction): boolean =>
  win?.status === "void" && win.reversedBy === null && win.bet?.txId === bet.txId;

/** The statement that makes a bet a success makes its win pending. */
function together({ writes }: RunRecord): Violation[] {
  const rows = new Map<string, Transaction>();
  const winOf: Find = ({ merchantId, playWin }) =>
    playWin === null ? undefined : rows.get(keyText({ merchantId, txId: playWin }));
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement) => {
    const before = new Map(rows);
    for (const { key, after } of statement) rows.set(key, after);
    return statement.flatMap(({ key, after }) => {
      if (after.playWin === null || before.get(key)?.status !== "pending" || after.status !== "success") return [];
      return after.reversedBy === null && waitsFor(winOf(after), after)
        ? [violation("I18", key, `a success that leaves its win ${after.playWin} behind`)]
        : [];
    });
  });
}

/** A bet is not sent for the first time before its win is stored. */
function stored({ writes, calls }: RunRecord): Violation[] {
  const bets = new Map(writes.map(({ key, after }) => [key, after]));
  const firstAt = new Map<string, number>();
  for (const { key, at } of writes) if (!firstAt.has(key)) firstAt.set(key, at);
  return calls.flatMap(({ content, attempt, begunAt }) => {
    const bet = bets.get(keyText(content));
    if (attempt !== 1 || bet === undefined || bet.playWin === null) return [];
    const at = firstAt.get(keyText({ merchantId: bet.merchantId, txId: bet.playWin }));
    return at !== undefined && at <= begunAt
      ? []
      : [violation("I18", keyText(content), `sent before its win ${bet.playWin} was stored`)];
  });
}

/** At the end no win waits for a bet that took its stake and keeps it. */
function leftBehind({ rows }: RunRecord): Violation[] {
  return [...rows].flatMap(([key, { transaction: bet }]) => {
    if (bet.playWin === null || bet.status !== "success" || bet.reversedBy !== null) return [];
    const win = rows.get(keyText({ merchantId: bet.merchantId, txId: bet.playWin }))?.transaction;
    return waitsFor(win, bet) ? [violation("I18", key, `its win ${bet.playWin} still waits`)] : [];
  });
}

/** A bet fails without a call only if its win could not be paid, and no win is sent for a bet that is not a success. */
function unfounded({ rows, calls }: RunRecord): Violation[] {
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

/** What a win will pay, and for which bet, is fixed when its Play is stored. */
function frozen({ writes }: RunRecord): Violation[] {
  return writes.flatMap(({ key, before, after }) => {
    if (before?.status !== "void" || before.bet === undefined) return [];
    const isSame =
      after.bet?.txId === before.bet.txId &&
      after.bet.settles === before.bet.settles &&
      after.amountMinor === before.amountMinor &&
      after.playerId === before.playerId;
    return isSame ? [] : [violation("I18", key, "the content of a waiting win changed")];
  });
}
