/** Days of a report, as `YYYY-MM-DD` in its time zone. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export const COMPARISONS = ["none", "before", "week", "other"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const PRESETS = ["today", "yesterday", "week", "month"] as const;
export type Preset = (typeof PRESETS)[number];

const DAY_MS = 86_400_000;

/** A day so many days later; earlier when negative. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const daysOf = ({ from, to }: Range): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** The day that it is now in a time zone. */
export const todayIn = (tz: string, now = Date.now()): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: tz, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);

export function presetRange(preset: Preset, today: string): Range {
  if (preset === "today") return { from: today, to: today };
  const yesterday = plusDays(today, -1);
  if (preset === "yesterday") return { from: yesterday, to: yesterday };
  return { from: plusDays(today, preset === "week" ? -6 : -29), to: today };
}

/**
 * The range to compare with: as many days just before, the same weekdays before, or as many days from another one on;
 * null: none.
 *
 * @param from - the first of the other days.
 */
export function comparedRange(range: Range, comparison: Comparison, from = ""): Range | null {
  const days = daysOf(range);
  // The service says what is wrong with days that are none.
  if (comparison === "none" || !(days > 0)) return null;
  if (comparison === "other") return Number.isNaN(Date.parse(from)) ? null : { from, to: plusDays(from, days - 1) };
  const back = comparison === "before" ? days : Math.ceil(days / 7) * 7;
  return { from: plusDays(range.from, -back), to: plusDays(range.to, -back) };
}

/** Whether this day was not over yet at the time of the report's snapshot, in the report's time zone. */
export const isOpenDay = (day: string, tz: string, asOf: string): boolean => day >= todayIn(tz, Date.parse(asOf));
