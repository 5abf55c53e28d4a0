import type { DbTime } from "../transaction/transaction.ts";

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:)([0-5]\d|60)(?:(\.\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/i;
const MINUTE_MS = 60_000;

/**
 * The bounds of years with four digits. RFC 3339 can write no other years, but an offset could move a time beyond these
 * bounds.
 */
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;

/**
 * Reads an RFC 3339 time with an offset or Z, in milliseconds. Finer digits are cut off. A leap second, :60, is the
 * first moment of the next minute, because our clocks have no name for it. It can only be the last second of a month in
 * UTC. `undefined`: the text is not RFC 3339, or names a day that does not exist.
 */
export function parseInstant(text: string): DbTime | undefined {
  const [, minute, second, fraction = "", offset] = RFC_3339.exec(text) ?? [];
  if (minute === undefined) return undefined;
  const isLeap = second === "60";
  try {
    const { epochMilliseconds } = Temporal.Instant.from(`${minute}${isLeap ? "00" : `${second}${fraction}`}${offset}`);
    const ms = isLeap ? epochMilliseconds + MINUTE_MS : epochMilliseconds;
    if (ms < YEAR_0 || ms >= YEAR_10000) return undefined;
    return isLeap && !isFirstOfMonth(ms) ? undefined : ms;
  } catch {
    return undefined;
  }
}

const isFirstOfMonth = (ms: DbTime): boolean => formatInstant(ms).endsWith("-01T00:00:00.000Z");

/** Writes a time as RFC 3339 in UTC with milliseconds. */
export const formatInstant = (ms: DbTime): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
