/**
 * Odds are whole hundredths of decimal odds: 185 is 1.85, what one unit of stake returns. Decimal and fractional texts are exact;
 * American odds are whole numbers by custom, and still tell the hundredth they came from (up to 100.00).
 */

export type OddsFormat = "decimal" | "fractional" | "american";
export const ODDS_FORMATS: readonly OddsFormat[] = ["decimal", "fractional", "american"];

/** Evens or worse than 1.00 are never on offer, longer ones neither. */
export const ODDS_MIN = 101;
export const ODDS_MAX = 10_000;

/** `185` as `1.85`, `17/20` or `-118`. */
export function oddsText(odds: number, format: OddsFormat): string {
  if (format === "fractional") return fractional(odds);
  return format === "american" ? american(odds) : decimal(odds);
}

const decimal = (odds: number): string => `${Math.floor(odds / 100)}.${String(odds % 100).padStart(2, "0")}`;

/** What is won for what is staked, in lowest terms. */
function fractional(odds: number): string {
  const divisor = greatestCommonDivisor(odds - 100, 100);
  return `${(odds - 100) / divisor}/${100 / divisor}`;
}

/** From evens on what 100 win, below what must be staked to win 100. */
function american(odds: number): string {
  return odds >= 200 ? `+${odds - 100}` : `-${Math.round(10_000 / (odds - 100))}`;
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
