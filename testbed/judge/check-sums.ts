import type { OutsideRecord, Violation } from "./record.ts";

const HOUR_MS = 3_600_000;

/** I11: the stored sums are the sums of the rows, also of each kind, and every change has its own number. */
export const checkSums = (record: OutsideRecord): Violation[] =>
  record.healed ? [...sumsEqualFold(record), ...everyChangeIsNumbered(record)] : [];

function sumsEqualFold({ rows, sums }: OutsideRecord): Violation[] {
  const folded = new Map<string, bigint>();
  for (const { transaction: row } of rows.values()) {
    if (row.status !== "success") continue;
    const hour = row.createdAt - (row.createdAt % HOUR_MS);
    const key = `${row.merchantId}: ${hour}/${row.game.id}/${row.action}/${row.labels?.kind ?? null}`;
    folded.set(key, (folded.get(key) ?? 0n) + row.amountMinor);
  }
  const kept = new Map(
    [...sums].flatMap(([merchantId, byKey]) =>
      [...byKey].map(([key, { sumMinor }]): [string, bigint] => [`${merchantId}: ${key}`, sumMinor]),
    ),
  );
  return [...new Set([...folded.keys(), ...kept.keys()])]
    .filter((key) => folded.get(key) !== kept.get(key))
    .map((key) => ({
      invariant: "I11",
      key,
      what: `the rows come to ${folded.get(key)}, the report to ${kept.get(key)}`,
    }));
}

function everyChangeIsNumbered({ rows }: OutsideRecord): Violation[] {
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
