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
  const first = Array.from({ length: 50 }, () => shared.get());
  await Promise.resolve();
  t.deepEqual(new Set(await Promise.all(first)), new Set([1]));
  for (let i = 2; i < 6; i++) t.is(await shared.get(), i);
  for (const [i, at] of began.slice(1).entries()) t.true(at - (began[i] as number) >= 99);
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
