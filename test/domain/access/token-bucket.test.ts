import test from "ava";
import fc from "fast-check";
import { type Bucket, type Rate, takeToken } from "../../../src/domain/access/token-bucket.ts";

const rates = fc.record({
  perSecond: fc.double({ min: 0.01, max: 1_000, noNaN: true }),
  capacity: fc.double({ min: 1, max: 1_000, noNaN: true }),
});
const SLACK = 1e-3;

/** The times of the calls that passed. */
function passed(rate: Rate, times: readonly number[]): number[] {
  let bucket: Bucket | undefined;
  return times.filter((now) => {
    const taken = takeToken(bucket, rate, now);
    bucket = taken.bucket;
    return taken.taken;
  });
}

test("in any period, at most as many calls are accepted as the capacity and the tokens that were added in this period", (t) => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2_000, noNaN: true })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(
      fc.record({
        perSecond: fc.double({ min: 0.1, max: 20, noNaN: true }),
        capacity: fc.double({ min: 1, max: 20, noNaN: true }),
      }),
      gaps,
      (rate, waits) => {
        let now = 0;
        const times = passed(
          rate,
          waits.map((wait) => {
            now += wait;
            return now;
          }),
        );
        for (const [i, from] of times.entries()) {
          for (const [j, to] of times.entries()) {
            if (j >= i) t.true(j - i + 1 <= rate.capacity + ((to - from) * rate.perSecond) / 1_000 + SLACK);
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("a caller within the rate is never refused, and a burst of the capacity is accepted at once", (t) => {
  fc.assert(
    fc.property(rates, (rate) => {
      const steady = Array.from({ length: 200 }, (_, i) => (i * 1_000) / rate.perSecond);
      t.is(passed(rate, steady).length, 200);
      const capacity = Math.floor(rate.capacity);
      t.is(passed({ ...rate, capacity }, Array(capacity + 2).fill(7)).length, capacity);
    }),
  );
});

test("a refused call is accepted after nextMs and not before; a bucket that is not used for fullMs is full, like a new bucket", (t) => {
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 0.99, noNaN: true }), (rate, left) => {
      const bucket = { tokens: left, at: 1_000 };
      const refused = takeToken(bucket, rate, 1_000);
      t.false(refused.taken);
      t.true(takeToken(refused.bucket, rate, 1_000 + refused.nextMs).taken);
      t.false(takeToken(refused.bucket, rate, 1_000 + refused.nextMs * 0.99).taken);
      const full = 1_000 + refused.fullMs;
      t.true(
        Math.abs(takeToken(refused.bucket, rate, full).bucket.tokens - takeToken(undefined, rate, full).bucket.tokens) <
          SLACK,
      );
    }),
  );
});

test("a smaller rate applies from the next call on, and no tokens are added while the clock does not move", (t) => {
  const before = takeToken(undefined, { perSecond: 10, capacity: 20 }, 0);
  t.is(before.bucket.tokens, 19);
  t.is(takeToken(before.bucket, { perSecond: 5, capacity: 10 }, 0).bucket.tokens, 9);
  t.false(takeToken({ tokens: 0, at: 5 }, { perSecond: 1_000, capacity: 10 }, 5).taken);
});
