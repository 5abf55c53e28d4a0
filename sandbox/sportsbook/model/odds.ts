/**
 * Odds are decimal odds in whole hundredths: 185 is 1.85, the return of one unit of stake. Decimal and fractional texts
 * are exact. American odds are whole numbers. Up to 100.00, each American number stands for exactly one number of
 * hundredths.
 */

import type { OddsFormat } from "../../../web-renderer/protocol.ts";

/** The range of odds on offer, in hundredths. */
export const ODDS_MIN = 101;
export const ODDS_MAX = 10_000;

/** Whether the value is odds on offer: whole hundredths in the range. */
export const isOdds = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= ODDS_MIN && value <= ODDS_MAX;

/** `185` as `1.85`, `17/20` or `-118`. */
export function oddsText(odds: number, format: OddsFormat): string {
  if (format === "fractional") return fractional(odds);
  return format === "american" ? american(odds) : decimal(odds);
}

const decimal = (odds: number): string => `${Math.floor(odds / 100)}.${String(odds % 100).padStart(2, "0")}`;

/** Fractional odds: profit and stake, in lowest terms. */
function fractional(odds: number): string {
  const divisor = greatestCommonDivisor(odds - 100, 100);
  return `${(odds - 100) / divisor}/${100 / divisor}`;
}

/** American odds: from 2.00 on the profit of a stake of 100, below it the stake for a profit of 100. */
function american(odds: number): string {
  return odds >= 200 ? `+${odds - 100}` : `-${Math.round(10_000 / (odds - 100))}`;
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
