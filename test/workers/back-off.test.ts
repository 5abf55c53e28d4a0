import test from "ava";
import { BackOff } from "../../src/workers/back-off.ts";

test("the pauses before a process is started again double from 100 ms to 10 s, and begin anew after a process that ran for 30 s", (t) => {
  const backOff = new BackOff();
  t.deepEqual(
    Array.from({ length: 9 }, () => backOff.next(1_000)),
    [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000],
  );
  t.is(backOff.next(30_000), 100);
  t.is(backOff.next(29_999), 200);
});
