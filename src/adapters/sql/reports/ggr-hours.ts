import type { DbTime } from "../../../domain/transaction/transaction.ts";

const HOUR_MS = 3_600_000;

/**
 * Divides a report's time into whole hours, which have hourly sums, and parts of hours, for which the rows must be
 * read.
 */
export interface Hours {
  /** The hourly sums are used from this time until before `to`, except for the hours in `cut`. */
  readonly from: DbTime;
  readonly to: DbTime;
  /**
   * The beginnings of the hours that contain a bound of the report. A bound at the beginning of an hour is not inside
   * the hour.
   */
  readonly cut: ReadonlySet<DbTime>;
  /** The parts of these hours that belong to the report. */
  readonly pieces: readonly (readonly [from: DbTime, to: DbTime])[];
  /**
   * The longest step of time, at most an hour, with which every bound is at the end of a step. With bounds on the half
   * hour it is half an hour.
   */
  readonly stepMs: number;
}

/** @param bounds - at least two, in ascending order. */
export function hoursBetween(bounds: readonly DbTime[]): Hours {
  const [first, last] = [bounds[0], bounds.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a report needs at least two bounds");
  const cut = new Set(bounds.filter((bound) => bound % HOUR_MS !== 0).map(hourOf));
  return {
    from: first,
    to: last,
    cut,
    pieces: [...cut].map((hour) => [Math.max(hour, first), Math.min(hour + HOUR_MS, last)]),
    stepMs: bounds.reduce((step, bound) => divisor(step, Math.abs(bound % HOUR_MS)), HOUR_MS),
  };
}

export const hourOf = (time: DbTime): DbTime => Math.floor(time / HOUR_MS) * HOUR_MS;

/** The greatest common divisor. */
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
