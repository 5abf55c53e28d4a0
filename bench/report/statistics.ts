/** A figure over several runs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @param values - at least one. */
export function spread(values: readonly number[]): Spread {
  const sorted = sortedOf(values);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number };
}

/**
 * The smallest value such that at least `share` of all values are not larger (nearest rank).
 *
 * @param values - at least one.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = sortedOf(values);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}

export interface Reading {
  readonly at: number;
  readonly value: number;
}

/**
 * The growth of the value for each unit of `at`, by the method of least squares.
 * @param readings - at least two, at different times.
 */
export function slope(readings: readonly Reading[]): number {
  const mean = (of: (reading: Reading) => number): number =>
    readings.reduce((sum, one) => sum + of(one), 0) / readings.length;
  const [at, value] = [mean((one) => one.at), mean((one) => one.value)];
  const across = readings.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  if (readings.length < 2 || across === 0) throw new Error("a slope takes two moments");
  return readings.reduce((sum, one) => sum + (one.at - at) * (one.value - value), 0) / across;
}

function sortedOf(values: readonly number[]): Float64Array {
  if (values.length === 0) throw new Error("nothing was measured");
  return Float64Array.from(values).sort();
}
