/**
 * The rules of the slot, as pure functions: five reels of three symbols, ten lines that pay from the left. The caller
 * passes the random function. Symbols are numbers. 0 to 3 are the skin's own symbols, the best paid first. 4 to 7 are
 * the card letters A, K, Q, J. 8 is the wild symbol, which replaces any other symbol.
 */
export const REELS = 5;
export const ROWS = 3;
export const WILD = 8;
/** A bet is spread over ten lines, so bets are multiples of ten minor units and every win is exact. */
export const LINES: readonly (readonly number[])[] = [
  [1, 1, 1, 1, 1],
  [0, 0, 0, 0, 0],
  [2, 2, 2, 2, 2],
  [0, 1, 2, 1, 0],
  [2, 1, 0, 1, 2],
  [0, 0, 1, 2, 2],
  [2, 2, 1, 0, 0],
  [1, 0, 0, 0, 1],
  [1, 2, 2, 2, 1],
  [1, 0, 1, 2, 1],
];

/** By symbol: the payout of 3, 4 and 5 in a row, in tenths of the bet. */
export const PAYS: readonly (readonly [number, number, number])[] = [
  [50, 200, 1000],
  [40, 120, 600],
  [30, 90, 400],
  [25, 80, 300],
  [15, 40, 150],
  [15, 35, 120],
  [10, 30, 100],
  [10, 30, 100],
  [100, 400, 2000],
];

/** By symbol: its relative frequency. */
const WEIGHTS = [5, 6, 7, 8, 10, 11, 12, 12, 3] as const;
const WEIGHT_SUM = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/** The symbols of a spin: `grid[reel][row]`. */
export type Grid = readonly (readonly number[])[];

export interface LineWin {
  readonly line: number;
  readonly symbol: number;
  readonly count: number;
  readonly tenths: number;
}

/** A random grid. `random(n)` returns a whole number from 0 to n - 1. */
export function spin(random: (below: number) => number): Grid {
  const one = () => {
    let left = random(WEIGHT_SUM);
    return WEIGHTS.findIndex((weight) => (left -= weight) < 0);
  };
  return Array.from({ length: REELS }, () => Array.from({ length: ROWS }, one));
}

/** The winning lines of a grid. */
export function winsOf(grid: Grid): LineWin[] {
  return LINES.flatMap((rows, line) => {
    const seen = rows.map((row, reel) => grid[reel]?.[row] ?? 0);
    const symbol = seen.find((s) => s !== WILD) ?? WILD;
    const end = seen.findIndex((s) => s !== symbol && s !== WILD);
    const count = end === -1 ? REELS : end;
    const tenths = PAYS[symbol]?.[count - 3];
    return tenths === undefined ? [] : [{ line, symbol, count, tenths }];
  });
}
