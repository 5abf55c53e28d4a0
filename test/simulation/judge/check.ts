import { checkOutside } from "../../../testbed/judge/check-outside.ts";
import { checkProviderApi } from "../../../testbed/judge/check-provider-api.ts";
import type { RunRecord, Violation } from "../../../testbed/judge/record.ts";
import { RecordIndex } from "../../../testbed/judge/record-index.ts";
import { checkInside } from "./check-inside.ts";
import { checkReverses } from "./check-reverses.ts";
import { checkRounds } from "./check-rounds.ts";
import { checkSettlements } from "./check-settlements.ts";
import { checkZeros, isZero } from "./check-zeros.ts";
import { checkLabels } from "./provider-api/check-labels.ts";
import { checkPlays } from "./provider-api/check-plays.ts";

/** Every violation of I1 to I18 in the record of a simulated run. */
export function check(record: RunRecord): Violation[] {
  // Requests with an amount of 0 create no transaction; only checkZeros judges them.
  const withoutZeros = { ...record, operations: record.operations.filter((operation) => !isZero(operation)) };
  return [
    ...checkOutside(withoutZeros),
    ...checkInside(withoutZeros, new RecordIndex(withoutZeros)),
    ...checkProviderApi(record),
    ...checkZeros(record),
    ...checkSettlements(record),
    ...checkReverses(record),
    ...checkLabels(record),
    ...checkRounds(record),
    ...checkPlays(record),
  ];
}
