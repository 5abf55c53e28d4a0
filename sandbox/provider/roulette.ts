/** The rules of the roulette table, as pure functions. */
import { colorOf } from "./art/wheel.ts";

/**
 * The spots for chips: `17` (a number), `red`, `black`, `odd`, `even`, `low`, `high`, `dozen1` to `dozen3`, `column1`
 * to `column3`.
 */
export type Spot = string;

const covers: Readonly<Record<string, (n: number) => boolean>> = {
  red: (n) => colorOf(n) === "red",
  black: (n) => colorOf(n) === "black",
  odd: (n) => n % 2 === 1,
  even: (n) => n > 0 && n % 2 === 0,
  low: (n) => n >= 1 && n <= 18,
  high: (n) => n >= 19,
  dozen1: (n) => n >= 1 && n <= 12,
  dozen2: (n) => n >= 13 && n <= 24,
  dozen3: (n) => n >= 25,
  column1: (n) => n % 3 === 1,
  column2: (n) => n % 3 === 2,
  column3: (n) => n > 0 && n % 3 === 0,
};

export const isSpot = (text: string): boolean =>
  Object.hasOwn(covers, text) || (/^(0|[1-9]\d?)$/.test(text) && Number(text) <= 36);

/** The payout of a chip on `spot` when `number` wins, as a multiple of the stake, stake included. 0: it loses. */
export function payout(spot: Spot, number: number): number {
  const group = covers[spot];
  if (group === undefined) return Number(spot) === number ? 36 : 0;
  if (!group(number)) return 0;
  return /^(dozen|column)/.test(spot) ? 3 : 2;
}
