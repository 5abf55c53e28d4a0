import type { DbTime } from "../../../domain/transaction/transaction.ts";

const HOUR_MS = 3_600_000;

/** Divides a report's time into whole hours, which have hourly sums, and parts of hours, which only the rows tell. */
export interface Hours {
  /** The hourly sums count from here until before `to`, without the `cut` hours. */
  readonly from: DbTime;
  readonly to: DbTime;
  /** The beginnings of the hours that a bound cuts. A bound at the beginning of an hour cuts none. */
  readonly cut: ReadonlySet<DbTime>;
  /** The parts of the cut hours that belong to the report. */
  readonly pieces: readonly (readonly [from: DbTime, to: DbTime])[];
  /**
   * The longest step of time, at most an hour, with every bound at the end of a step. Bounds on the half hour make it
   * half an hour.
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
