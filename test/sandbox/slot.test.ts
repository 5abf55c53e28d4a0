import test from "ava";
import { type Grid, LINES, REELS, ROWS, spin, WILD, winsOf } from "../../sandbox/provider/slot.ts";

/** A grid of symbols that pay nothing, with `cells` on it: `[reel, row, symbol]`. */
function grid(...cells: readonly (readonly [number, number, number])[]): Grid {
  const plain = [
    [4, 5, 6],
    [7, 0, 4],
    [5, 6, 7],
    [1, 4, 5],
    [6, 7, 0],
  ];
  for (const [reel, row, symbol] of cells) (plain[reel] as number[])[row] = symbol;
  return plain;
}

test("winsOf returns nothing if no line matches", (t) => t.deepEqual(winsOf(grid()), []));

test("winsOf pays three of a kind on the middle line", (t) => {
  const wins = winsOf(grid([0, 1, 2], [1, 1, 2], [2, 1, 2])).filter(({ line }) => line === 0);
  t.deepEqual(wins, [{ line: 0, symbol: 2, count: 3, tenths: 30 }]);
});

test("winsOf accepts the wild symbol for any symbol, also at the beginning of a line", (t) => {
  const wins = winsOf(grid([0, 1, WILD], [1, 1, 3], [2, 1, WILD], [3, 1, 3])).filter(({ line }) => line === 0);
  t.deepEqual(wins, [{ line: 0, symbol: 3, count: 4, tenths: 80 }]);
});

test("winsOf pays only lines that begin at the left reel", (t) => {
  t.deepEqual(
    winsOf(grid([2, 1, 3], [3, 1, 3], [4, 1, 3])).filter(({ line }) => line === 0),
    [],
  );
});

test("every line has one row on each reel, and no line occurs twice", (t) => {
  t.true(LINES.every((rows) => rows.length === REELS && rows.every((row) => row >= 0 && row < ROWS)));
  t.is(new Set(LINES.map(String)).size, LINES.length);
});

test("over many spins the slot pays back 85 to 105 percent of the stakes, and more than a fifth of the spins win", (t) => {
  let state = 7;
  const random = (below: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
  const spins = 60_000;
  let paid = 0;
  let hits = 0;
  for (let i = 0; i < spins; i++) {
    const tenths = winsOf(spin(random)).reduce((sum, win) => sum + win.tenths, 0);
    paid += tenths / 10;
    if (tenths > 0) hits++;
  }
  t.true(paid / spins > 0.85 && paid / spins < 1.05, `returned ${paid / spins}`);
  t.true(hits / spins > 0.2, `hits ${hits / spins}`);
});
