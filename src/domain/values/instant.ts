import type { DbTime } from "../transaction/transaction.ts";

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/**
 * The bounds of years with four digits. RFC 3339 can write no other years, but an offset could move a time beyond these
 * bounds.
 */
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;

/**
 * Reads an RFC 3339 time with an offset or Z, in milliseconds. Finer digits are cut off. `undefined`: the text is not
 * RFC 3339, or names a day that does not exist.
 */
export function parseInstant(text: string): DbTime | undefined {
  if (!RFC_3339.test(text)) return undefined;
  try {
    const ms = Temporal.Instant.from(text).epochMilliseconds;
    return ms >= YEAR_0 && ms < YEAR_10000 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a time as RFC 3339 in UTC with milliseconds. */
export const formatInstant = (ms: DbTime): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
