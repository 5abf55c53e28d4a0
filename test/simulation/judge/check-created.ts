import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type Violation, violation, type Write } from "../../../testbed/judge/record.ts";

/**
 * I11: a row is created when it becomes a transaction, by the database's clock, and keeps that time. A void original
 * becomes a transaction when its reversal ends, and gets the reversal's time. So reports count both rows in one hour,
 * and never in an hour that is over.
 */
export function checkCreated(writes: readonly Write[]): Violation[] {
  const createdAt = new Map<string, number>();
  return writes.flatMap(({ key, before, after }): Violation[] => {
    if (after.status === "void") return [];
    const expected = isReal(before)
      ? before.createdAt
      : after.status === "pending"
        ? after.updatedAt
        : createdAt.get(reversalOf(after));
    createdAt.set(key, after.createdAt);
    return after.createdAt === expected
      ? []
      : [violation("I11", key, `created at ${after.createdAt}, not at ${expected}`)];
  });
}

const isReal = (row: Transaction | undefined): row is Transaction => row !== undefined && row.status !== "void";
const reversalOf = ({ merchantId, reversedBy }: Transaction): string =>
  reversedBy === null ? "" : keyText({ merchantId, txId: reversedBy as TxId });
