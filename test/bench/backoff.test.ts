import test from "ava";
import { earlyByMs, leastGapMs } from "../../bench/backlog/backoff.ts";

const attempt = (n: number, at: number) => ({
  n,
  at,
  durationMs: 100,
  httpStatus: 500,
  result: "http_5xx" as const,
  requestId: "r",
});

test("the shortest time between attempts doubles from a second to five minutes", (t) => {
  t.deepEqual([1, 2, 3, 9, 10, 30].map(leastGapMs), [1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

test("earlyByMs returns the longest time by which an attempt began before the end of its pause", (t) => {
  t.is(earlyByMs([attempt(1, 0), attempt(2, 1_100), attempt(3, 3_200)]), 0);
  t.is(earlyByMs([attempt(1, 0), attempt(2, 1_100), attempt(3, 3_100)]), 99);
  t.is(earlyByMs([]), 0);
});
