import type { Transaction } from "../../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../../src/domain/values/identifiers.ts";
import { waitsFor } from "../../../../testbed/judge/check-provider-api.ts";
import { type RunRecord, type Violation, violation } from "../../../../testbed/judge/record.ts";

type Find = (row: Transaction) => Transaction | undefined;

/**
 * I18: a Play is never half lost. Its win is stored before its bet is sent for the first time. The statement that makes
 * the bet a success also makes the win pending, unless a reversal came before. So a bet that took its stake never leaves
 * its win behind. A win that waits keeps its content. testbed/judge/check-provider-api.ts has the rules for the end of a run.
 */
export function checkPlays(record: RunRecord): Violation[] {
  return [...together(record), ...stored(record), ...frozen(record)];
}

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
