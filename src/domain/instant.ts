import type { DbTime } from "./transaction.ts";

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Reads RFC 3339 with an offset or Z into milliseconds, what is finer being cut off; `undefined` when it is none, or no day of the calendar. */
export function parseInstant(text: string): DbTime | undefined {
  if (!RFC_3339.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** RFC 3339 in UTC with milliseconds. */
export const formatInstant = (ms: DbTime): string => Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
