import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import { type Violation, violation, type Write } from "../../../testbed/judge/record.ts";

/** The fields of a row that are times. */
const TIMES = ["leaseUntil", "silentAt", "nextAt", "createdAt", "openedAt", "updatedAt"] as const;

/** I13: every time that is written is a whole number of milliseconds. SQLite refuses a fraction, and MySQL rounds it. */
export const checkTimes = (writes: readonly Write[]): Violation[] =>
  writes.flatMap(({ key, after }) => {
    const name = fractionIn(after);
    return name === undefined ? [] : [violation("I13", key, `${name} is ${after[name]}`)];
  });

const fractionIn = (row: Transaction) => TIMES.find((name) => row[name] !== null && !Number.isInteger(row[name]));
