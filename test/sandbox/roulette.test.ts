import test from "ava";
import { colorOf, WHEEL } from "../../sandbox/provider/art/wheel.ts";
import { isSpot, payout } from "../../sandbox/provider/roulette.ts";

const NUMBERS = Array.from({ length: 37 }, (_, number) => number);
const OUTSIDE = [
  "red",
  "black",
  "odd",
  "even",
  "low",
  "high",
  "dozen1",
  "dozen2",
  "dozen3",
  "column1",
  "column2",
  "column3",
];

test("the wheel has every number once, and red and black numbers alternate", (t) => {
  t.deepEqual(
    [...WHEEL].sort((a, b) => a - b),
    NUMBERS,
  );
  t.true(WHEEL.slice(1).every((number, i, row) => i === 0 || colorOf(number) !== colorOf(row[i - 1] as number)));
});

test("a stake on any spot of the table pays 36 stakes in total over the 37 numbers", (t) => {
  for (const spot of [...NUMBERS.map(String), ...OUTSIDE]) {
    t.is(
      NUMBERS.reduce((sum, number) => sum + payout(spot, number), 0),
      36,
      spot,
    );
  }
});

test("isSpot accepts exactly the numbers and the outside bets", (t) => {
  t.true([...NUMBERS.map(String), ...OUTSIDE].every(isSpot));
  t.false(["37", "-1", "01", "", "constructor", "dozen4"].some(isSpot));
});
