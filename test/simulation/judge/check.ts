import { checkOutside } from "../../../testbed/judge/check-outside.ts";
import type { RunRecord, Violation } from "../../../testbed/judge/record.ts";
import { RecordIndex } from "../../../testbed/judge/record-index.ts";
import { checkInside } from "./check-inside.ts";
import { checkZeros, isZero } from "./check-zeros.ts";

/** Every violation of I1 to I12 in the record of a simulated run. */
export function check(whole: RunRecord): Violation[] {
  // Requests with an amount of 0 create no transaction; only checkZeros judges them.
  const record = { ...whole, operations: whole.operations.filter((operation) => !isZero(operation)) };
  return [...checkOutside(record), ...checkInside(record, new RecordIndex(record)), ...checkZeros(whole)];
}
