import { keyText, type TxId } from "../../src/domain/identifiers.ts";
import { isReversal, NOT_FOUND, type Transaction } from "../../src/domain/transaction.ts";
import type { RunRecord, Violation, Write } from "./record.ts";

const HOUR_MS = 3_600_000;

/** I11: no sum ever counts an original without its reversal or the other way round, and the kept sums are the fold of the rows. */
export function checkSums(record: RunRecord): Violation[] {
  return [...pairsSettleTogether(record.writes), ...(record.healed ? [...sumsEqualFold(record), ...everyChangeIsNumbered(record)] : [])];
}

/** After each statement, reversal and original agree. */
function pairsSettleTogether(writes: readonly Write[]): Violation[] {
  const rows = new Map<string, Transaction>();
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement) => {
    for (const { key, after } of statement) rows.set(key, after);
    return statement.flatMap(({ key, before, after }) => {
      const find = (txId: TxId | null) => (txId === null ? undefined : rows.get(keyText({ merchantId: after.merchantId, txId })));
      if (isReversal(after.action)) {
        const original = find(after.refTxId);
        const wrong =
          (after.status === "success" && original?.status !== "success") ||
          (after.status === "failed" && after.error === NOT_FOUND && original?.status === "pending");
        return wrong ? [{ invariant: "I11" as const, key, what: `${after.status}, but its original is ${original?.status}` }] : [];
      }
      const closed = after.reversedBy !== null && after.resolvedBy?.endsWith(`:${after.reversedBy}`) && before?.resolvedBy !== after.resolvedBy;
      const reversal = find(after.reversedBy);
      return closed && reversal?.status !== "success" && reversal?.status !== "failed"
        ? [{ invariant: "I11" as const, key, what: `closed by a reversal that is ${reversal?.status}` }]
        : [];
    });
  });
}

function sumsEqualFold({ rows, sums }: RunRecord): Violation[] {
  const folded = new Map<string, bigint>();
  for (const { transaction: row } of rows.values()) {
    if (row.status !== "success") continue;
    const key = `${row.merchantId}: ${row.createdAt - (row.createdAt % HOUR_MS)}/${row.game.id}/${row.action}`;
    folded.set(key, (folded.get(key) ?? 0n) + row.amountMinor);
  }
  const kept = new Map(
    [...sums].flatMap(([merchantId, byKey]) => [...byKey].map(([key, { sumMinor }]): [string, bigint] => [`${merchantId}: ${key}`, sumMinor])),
  );
  return [...new Set([...folded.keys(), ...kept.keys()])]
    .filter((key) => folded.get(key) !== kept.get(key))
    .map((key) => ({ invariant: "I11", key, what: `the rows come to ${folded.get(key)}, the report to ${kept.get(key)}` }));
}

function everyChangeIsNumbered({ rows }: RunRecord): Violation[] {
  const numbered = new Set<string>();
  return [...rows].flatMap(([key, { transaction, feedSeq }]): Violation[] => {
    if (transaction.status === "void") return [];
    if (feedSeq === null) return [{ invariant: "I11", key, what: "its last change has no number" }];
    const number = `${transaction.merchantId}/${feedSeq}`;
    const taken = numbered.has(number);
    numbered.add(number);
    return taken ? [{ invariant: "I11", key, what: `shares the number ${feedSeq}` }] : [];
  });
}
