/** The throughput of a closed loop with this number of callers. */
export interface Point {
  readonly callers: number;
  readonly perSecond: number;
}

/** The share of the best throughput that counts as saturated. */
const WORTH = 0.95;

/**
 * The point with the fewest callers whose throughput is nearly the best.
 *
 * @param points - at least one.
 */
export function saturation(points: readonly Point[]): Point {
  const best = Math.max(...points.map(({ perSecond }) => perSecond));
  const enough = points.filter(({ perSecond }) => perSecond >= best * WORTH).sort((a, b) => a.callers - b.callers)[0];
  if (enough === undefined) throw new Error("nothing was measured");
  return enough;
}
