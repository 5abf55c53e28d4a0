import type { Failure } from "../../service/failure.ts";
import { daysOf, type Range } from "./ranges.ts";

/** The service makes a report of at most so many days. */
export const PAGE_DAYS = 92;

/** Whether the service refused a report because it has too many rows. */
export const hasTooManyRows = (failure: Failure): boolean =>
  failure.faults.some(({ field, text }) => field === "group_by" && /^a report of at most/.test(text));

/** Whether the service refused a report because of its size. */
export const isTooBig = (failure: Failure, range: Range): boolean =>
  hasTooManyRows(failure) ||
  (failure.code === "VALIDATION_ERROR" &&
    daysOf(range) > PAGE_DAYS &&
    failure.faults.every(({ field }) => field === "to"));
