import test from "ava";
import { saturation } from "../../bench/overload/saturation.ts";

test("saturation returns the smallest number of callers with nearly the highest rate", (t) => {
  const points = [
    { callers: 32, perSecond: 1_000 },
    { callers: 64, perSecond: 1_900 },
    { callers: 256, perSecond: 1_980 },
    { callers: 512, perSecond: 1_500 },
  ];
  t.is(saturation(points).callers, 64);
  t.is(saturation(points.toReversed()).callers, 64);
  t.throws(() => saturation([]));
});
