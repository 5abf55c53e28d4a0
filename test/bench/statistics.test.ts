import test from "ava";
import { percentile, slope, spread } from "../../bench/report/statistics.ts";

test("spread returns the median, the smallest and the largest value, for any order of the runs", (t) => {
  t.deepEqual(spread([5, 1, 30, 2, 4]), { median: 4, min: 1, max: 30 });
});

test("the median of an even number of runs is half-way between the two middle values", (t) => {
  t.is(spread([10, 2, 4, 8]).median, 6);
});

test("percentile returns the smallest value that is not below the given share of the values", (t) => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  t.is(percentile(hundred, 0.5), 50);
  t.is(percentile(hundred, 0.99), 99);
  t.is(percentile(hundred, 1), 100);
  t.is(percentile([7], 0.99), 7);
});

test("slope returns the slope of the least-squares line, even if the points are not on a line", (t) => {
  const readings = [1, 2, 3, 4].map((at) => ({ at, value: 5 + 2 * at }));
  t.is(slope(readings), 2);
  t.is(slope(readings.map(({ at, value }, i) => ({ at, value: value + (i === 0 || i === 3 ? 1 : -1) }))), 2);
  t.throws(() => slope(readings.slice(0, 1)));
});

test("statistics of an empty list throw an error instead of returning zero", (t) => {
  t.throws(() => spread([]));
  t.throws(() => percentile([], 0.5));
});
