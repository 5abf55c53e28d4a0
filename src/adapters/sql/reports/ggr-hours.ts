import type { DbTime } from "../../../domain/transaction/transaction.ts";

const HOUR_MS = 3_600_000;

/** What of a report's time the hourly sums know, and what only the rows do. */
export interface Hours {
  /** Hours that lie between two bounds are summed up from here on and before there; but not `cut` ones. */
  readonly from: DbTime;
  readonly to: DbTime;
  /** Beginnings of the hours in which a bound lies, the bounds on the hour aside. */
  readonly cut: ReadonlySet<DbTime>;
  /** What of the cut hours belongs to the report. */
  readonly pieces: readonly (readonly [from: DbTime, to: DbTime])[];
  /** The longest step, at most an hour, that no bound lies inside of: bounds on the half hour make it one. */
  readonly stepMs: number;
}

/** @param bounds - at least two, none before the one in front of it. */
export function hoursBetween(bounds: readonly DbTime[]): Hours {
  const [first, last] = [bounds[0], bounds.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a report has bounds");
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

/** The greatest that divides both. */
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
