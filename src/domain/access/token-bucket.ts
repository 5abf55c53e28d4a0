/**
 * A bucket of tokens that fills at a steady rate; each call takes one token. Times are milliseconds of a clock that
 * never jumps.
 *
 * This is own code, because the libraries that we looked at read the computer's clock, so the simulation and the tests
 * could not set the time. rate-limiter-flexible 11 also counts in fixed windows, so twice the burst passes at the border
 * of two windows. limiter 4 has token buckets, with one object and one queue of waiting calls for each caller.
 */

export interface Rate {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** The most tokens that the bucket holds. This is also the largest burst; at least 1. */
  readonly capacity: number;
}

/** The content of a bucket after the last call. A bucket that no call has used is full. */
export interface Bucket {
  readonly tokens: number;
  /** When the last call came. */
  readonly at: number;
}

export interface Taken {
  /** Whether the bucket had a token for the call. */
  readonly taken: boolean;
  readonly bucket: Bucket;
  /** Time until the bucket has a token; 0: it has one now. */
  readonly nextMs: number;
  /** Time until the bucket is full. */
  readonly fullMs: number;
}

/**
 * A rounding error may make the sum of many small refills a little less than a whole token. So a bucket that lacks at
 * most this much of a token has the token.
 */
const ROUNDING = 1e-6;

/** Takes a token, if the bucket has one. The rate may differ from the rate of the last call. */
export function takeToken(before: Bucket | undefined, { perSecond, capacity }: Rate, now: number): Taken {
  const refilled = before === undefined ? capacity : before.tokens + (Math.max(0, now - before.at) * perSecond) / 1_000;
  const available = Math.min(capacity, refilled);
  const taken = available >= 1 - ROUNDING;
  const tokens = taken ? Math.max(0, available - 1) : available;
  const msUntil = (wanted: number): number => (Math.max(0, wanted - tokens) * 1_000) / perSecond;
  return { taken, bucket: { tokens, at: now }, nextMs: msUntil(1), fullMs: msUntil(capacity) };
}
