import type { DbTime } from "../transaction/transaction.ts";

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/**
 * The bounds of a year of four digits, which is all that RFC 3339 can write. An offset could move a time beyond them.
 */
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;

/**
 * Reads RFC 3339 with an offset or Z into milliseconds, and cuts off finer digits. `undefined` when the text is no RFC
 * 3339 or names a day that does not exist.
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

/** Writes RFC 3339 in UTC with milliseconds. */
export const formatInstant = (ms: DbTime): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
