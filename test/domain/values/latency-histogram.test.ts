import test from "ava";
import fc from "fast-check";
import { BUCKETS, bucketOf, percentile } from "../../../src/domain/values/latency-histogram.ts";

const counted = (durations: readonly number[]): number[] => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const duration of durations) (counts[bucketOf(duration)] as number) += 1;
  return counts;
};

test("a percentile differs by at most 10 % from the exact one, from 1 ms to a minute", (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95, 0.99, 1),
      (durations, share) => {
        const sorted = durations.toSorted((a, b) => a - b);
        const real = sorted[Math.ceil(sorted.length * share) - 1] as number;
        const shown = percentile(counted(durations), share) ?? Number.NaN;
        // Small values are rounded to whole milliseconds.
        return Math.abs(shown - real) <= 0.1 * real + 0.5;
      },
    ),
  );
  t.pass();
});

test("durations outside of the range are counted in the first and the last bucket", (t) => {
  t.deepEqual([0, 0.2, 1, Number.NaN, -5].map(bucketOf), [0, 0, 0, 0, 0]);
  t.deepEqual([65_536, 1e9, Number.POSITIVE_INFINITY].map(bucketOf), [BUCKETS - 1, BUCKETS - 1, BUCKETS - 1]);
});

test("without durations there is no percentile", (t) => {
  t.is(percentile(counted([]), 0.5), null);
  t.is(percentile([], 0.5), null);
});
