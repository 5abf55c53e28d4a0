/** A closed loop of so many callers, and what it got done. */
export interface Point {
  readonly callers: number;
  readonly perSecond: number;
}

/** More callers than these bring less than this share more. */
const WORTH = 0.95;

/** The fewest callers that get nearly as much done as any number of them. @param points - at least one. */
export function saturation(points: readonly Point[]): Point {
  const best = Math.max(...points.map(({ perSecond }) => perSecond));
  const enough = points.filter(({ perSecond }) => perSecond >= best * WORTH).sort((a, b) => a.callers - b.callers)[0];
  if (enough === undefined) throw new Error("nothing was measured");
  return enough;
}
