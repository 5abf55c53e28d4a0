import test from "ava";
import fc from "fast-check";
import { ODDS_MAX, ODDS_MIN, oddsText } from "../../../sandbox/sportsbook/model/odds.ts";

const odds = fc.integer({ min: ODDS_MIN, max: ODDS_MAX });

test("odds are written in each format as its players know it", (t) => {
  const written = (hundredths: number) =>
    (["decimal", "fractional", "american"] as const).map((format) => oddsText(hundredths, format));
  t.deepEqual(written(185), ["1.85", "17/20", "-118"]);
  t.deepEqual(written(200), ["2.00", "1/1", "+100"]);
  t.deepEqual(written(350), ["3.50", "5/2", "+250"]);
  t.deepEqual(written(101), ["1.01", "1/100", "-10000"]);
  t.deepEqual(written(10_000), ["100.00", "99/1", "+9900"]);
});

test("decimal odds that are written and read again have the same hundredth", (t) => {
  fc.assert(fc.property(odds, (o) => Math.round(Number(oddsText(o, "decimal")) * 100) === o));
  t.pass();
});

test("fractional odds that are written and read again are exactly the same, in lowest terms", (t) => {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  fc.assert(
    fc.property(odds, (o) => {
      const [won = 0, staked = 1] = oddsText(o, "fractional").split("/").map(Number);
      return won * 100 === (o - 100) * staked && divisor(won, staked) === 1;
    }),
  );
  t.pass();
});

test("American odds are whole numbers, and the decimal odds can be computed from them to the hundredth", (t) => {
  for (let o = ODDS_MIN; o <= ODDS_MAX; o++) {
    const american = Number(oddsText(o, "american"));
    const decimal = american > 0 ? 100 + american : 100 + 10_000 / -american;
    if (!Number.isInteger(american) || Math.round(decimal) !== o) t.fail(`${o}: ${american}`);
  }
  t.pass();
});
