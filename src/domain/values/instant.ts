import type { DbTime } from "../transaction/transaction.ts";

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339 has four digits for a year: what an offset carries beyond them could not be written again. */
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;

/** Reads RFC 3339 with an offset or Z into milliseconds, what is finer being cut off; `undefined` when it is none, or no day of the calendar. */
export function parseInstant(text: string): DbTime | undefined {
  if (!RFC_3339.test(text)) return undefined;
  try {
    const ms = Temporal.Instant.from(text).epochMilliseconds;
    return ms >= YEAR_0 && ms < YEAR_10000 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 3339 in UTC with milliseconds. */
export const formatInstant = (ms: DbTime): string => Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
