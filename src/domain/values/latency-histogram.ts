/**
 * Counts durations in buckets whose bounds grow by a quarter of a power of two, about 19 %. So a percentile between 1
 * ms and a minute is at most 9 % too low or too high. The counts of two histograms can be added.
 */
const STEPS_PER_DOUBLING = 4;
/** The bucket for durations of a minute and more. */
const LAST_BUCKET = 64;

/** The number of buckets of every histogram. */
export const BUCKETS = LAST_BUCKET + 1;

/** The bucket of a duration in ms. Bucket 0 has everything up to 1 ms. */
export function bucketOf(durationMs: number): number {
  if (!(durationMs > 1)) return 0;
  return Math.min(LAST_BUCKET, Math.round(STEPS_PER_DOUBLING * Math.log2(durationMs)));
}

/** The duration in ms that stands for a bucket. */
const middleOf = (bucket: number): number => 2 ** (bucket / STEPS_PER_DOUBLING);

/**
 * The duration in ms that this share of all durations does not exceed. null: the histogram is empty.
 *
 * @param share - above 0, at most 1; 0.95 for the 95th percentile.
 */
export function percentile(counts: ArrayLike<number>, share: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) all += counts[bucket] as number;
  if (all === 0) return null;
  const wanted = Math.ceil(all * share);
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    seen += counts[bucket] as number;
    if (seen >= wanted) return Math.round(middleOf(bucket));
  }
  return null;
}
