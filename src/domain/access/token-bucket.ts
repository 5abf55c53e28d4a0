/** A bucket of tokens that fills steadily; each call takes one. Times are milliseconds of a clock that never steps. */

export interface Rate {
  /** Tokens that come in a second. */
  readonly perSecond: number;
  /** The most that it holds, so the most calls at once: at least 1. */
  readonly capacity: number;
}

/** How a bucket was left. A bucket nobody has touched is full. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

export interface Taken {
  /** There was a token. */
  readonly taken: boolean;
  readonly bucket: Bucket;
  /** Until the next token is there; 0 when one is. */
  readonly nextMs: number;
  /** Until the bucket is full again. */
  readonly fullMs: number;
}

/** Sums of many small refills may miss a whole token by a rounding error. */
const ROUNDING = 1e-6;

/** Takes a token, if there is one. The rate may be another than the last time. */
export function takeToken(before: Bucket | undefined, { perSecond, capacity }: Rate, now: number): Taken {
  const come = before === undefined ? capacity : before.tokens + (Math.max(0, now - before.at) * perSecond) / 1_000;
  const there = Math.min(capacity, come);
  const taken = there >= 1 - ROUNDING;
  const tokens = taken ? Math.max(0, there - 1) : there;
  const msUntil = (wanted: number): number => (Math.max(0, wanted - tokens) * 1_000) / perSecond;
  return { taken, bucket: { tokens, at: now }, nextMs: msUntil(1), fullMs: msUntil(capacity) };
}
