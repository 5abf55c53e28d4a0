import test from "ava";
import { SharedRead } from "../../src/workers/shared-read.ts";

test("callers share a read that begins after their calls; one after the other, at most ten begin in a second", async (t) => {
  const began: number[] = [];
  let running = 0;
  const shared = new SharedRead(async () => {
    t.is(running, 0);
    running += 1;
    began.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return began.length;
  });
  const start = performance.now();
  const first = Array.from({ length: 50 }, () => shared.get());
  await Promise.resolve();
  t.deepEqual(new Set(await Promise.all(first)), new Set([1]));
  for (let i = 2; i < 6; i++) t.is(await shared.get(), i);
  // Each read notes its time a moment after it was begun, so the times are compared with the start alone.
  for (const [i, at] of began.entries()) t.true(at - start >= i * 99, `${at - start} ms`);
});

test("after a read that failed, the next caller gets a new read", async (t) => {
  let reads = 0;
  const shared = new SharedRead(async () => {
    reads += 1;
    if (reads === 1) throw new Error("no");
    return reads;
  });
  await t.throwsAsync(shared.get(), { message: "no" });
  t.is(await shared.get(), 2);
});
