import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import { type Violation, violation, type Write } from "../../../testbed/judge/record.ts";

/**
 * I11: each numbering statement assigns a merchant's next numbers without a gap. A row whose state changes must wait
 * for a new number.
 */
export function checkNumbers(writes: readonly Write[]): Violation[] {
  const heads = new Map<number, bigint>();
  const numbers = new Map<string, bigint | null>();
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement) => {
    const given = statement.filter(({ key, feedSeq }) => isNumber(feedSeq) && feedSeq !== numbers.get(key));
    const kept = statement.filter(
      ({ before, after, feedSeq }) => after.status !== "void" && feedSeq != null && isChange(before, after),
    );
    for (const { key, feedSeq = null } of statement) numbers.set(key, feedSeq);
    const outOfOrder = [...Map.groupBy(given, ({ after }) => after.merchantId)].flatMap(
      ([merchantId, ofIt]): Violation[] => {
        const head = heads.get(merchantId) ?? 0n;
        const inOrder = ofIt.map(({ feedSeq }) => feedSeq ?? 0n).sort((a, b) => (a < b ? -1 : 1));
        heads.set(merchantId, inOrder.at(-1) ?? head);
        const isNext = inOrder.every((seq, i) => seq === head + BigInt(i) + 1n);
        return isNext ? [] : [violation("I11", ofIt[0]?.key ?? "", `numbers ${inOrder.join(", ")} came after ${head}`)];
      },
    );
    return [
      ...outOfOrder,
      ...kept.map(({ key, feedSeq }) => violation("I11", key, `changed under its old number ${feedSeq}`)),
    ];
  });
}

const isNumber = (feedSeq: bigint | null | undefined): feedSeq is bigint => feedSeq != null && feedSeq > 0n;

/** Whether the merchant sees a changed state of the row. */
function isChange(before: Transaction | undefined, after: Transaction): boolean {
  if (before === undefined || before.status !== after.status || before.resolvedBy !== after.resolvedBy) return true;
  return before.status === "failed" && after.status === "failed" && before.error !== after.error;
}
