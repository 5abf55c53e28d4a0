import test from "ava";
import { percentile, slope, spread } from "../../bench/report/statistics.ts";

test("spread has the median and both ends, for any order of the runs", (t) => {
  t.deepEqual(spread([5, 1, 30, 2, 4]), { median: 4, min: 1, max: 30 });
});

test("the median of an even number of runs lies half-way between the middle two", (t) => {
  t.is(spread([10, 2, 4, 8]).median, 6);
});

test("percentile is the smallest value that the share doesn't exceed", (t) => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  t.is(percentile(hundred, 0.5), 50);
  t.is(percentile(hundred, 0.99), 99);
  t.is(percentile(hundred, 1), 100);
  t.is(percentile([7], 0.99), 7);
});

test("slope is the slope of the line of least squares, also beside outliers", (t) => {
  const readings = [1, 2, 3, 4].map((at) => ({ at, value: 5 + 2 * at }));
  t.is(slope(readings), 2);
  t.is(slope(readings.map(({ at, value }, i) => ({ at, value: value + (i === 0 || i === 3 ? 1 : -1) }))), 2);
  t.throws(() => slope(readings.slice(0, 1)));
});

test("statistics of no values are an error, not zero", (t) => {
  t.throws(() => spread([]));
  t.throws(() => percentile([], 0.5));
});
