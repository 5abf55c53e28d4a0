import test from "ava";
import { Coalescer } from "../../src/app/coalescer.ts";
import { BATCH_MAX, StoreFault } from "../../src/ports/transaction-store.ts";
import { ManualClock } from "../harness/manual-clock.ts";

/** A store whose statements end when the test says so. */
function slowStore() {
  const batches: { lines: string[]; end: (outs?: (string | StoreFault)[]) => void; fail: (cause: Error) => void }[] = [];
  const run = (lines: string[]) =>
    new Promise<(string | StoreFault)[]>((resolve, reject) => {
      batches.push({ lines, end: (outs = lines.map((line) => `${line}!`)) => resolve(outs), fail: reject });
    });
  return { batches, run };
}

test("calls of one tick share a batch, and each gets its own answer", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(2);
  const coalescer = new Coalescer<string, string>(run, (line) => line, clock);
  const answers = Promise.all(["a", "b", "c"].map((line) => coalescer.add(line)));
  await tick();
  t.deepEqual(
    batches.map((batch) => batch.lines),
    [["a", "b", "c"]],
  );
  batches[0]?.end();
  t.deepEqual(await answers, ["a!", "b!", "c!"]);
});

test("what comes while a statement runs goes together when it ends, or beside it once there is much of it", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(2);
  const coalescer = new Coalescer<string, string>(run, (line) => line, clock);
  const add = async (...lines: string[]) => {
    for (const line of lines) void coalescer.add(line);
    await tick();
  };
  await add("a");
  await add("b");
  await add("c");
  t.deepEqual(
    batches.map((batch) => batch.lines),
    [["a"]],
  );
  batches[0]?.end();
  await tick();
  t.deepEqual(batches[1]?.lines, ["b", "c"]);

  await add(...Array.from({ length: 31 }, (_, i) => `d${i}`));
  t.is(batches.length, 2);
  await add("d31");
  t.is(batches[2]?.lines.length, 32);
  await add(...Array.from({ length: 99 }, (_, i) => `e${i}`));
  t.is(batches.length, 3);
});

test("a batch never holds a key twice, and never more than its bound", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(2);
  const coalescer = new Coalescer<string, string>(run, (line) => line, clock);
  const lines = [...Array.from({ length: BATCH_MAX + 3 }, (_, i) => `k${i}`), "k0"];
  const answers = Promise.all(lines.map((line) => coalescer.add(line)));
  await tick();
  t.is(batches[0]?.lines.length, BATCH_MAX);
  batches[0]?.end();
  await tick();
  t.deepEqual(batches[1]?.lines, ["k256", "k257", "k258", "k0"]);
  batches[1]?.end();
  t.is((await answers).length, lines.length);
});

test("a line's fault rejects its caller alone; a statement's failure rejects all of its batch and none of the next", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(2);
  const coalescer = new Coalescer<string, string>(run, (line) => line, clock);
  const first = Promise.allSettled([coalescer.add("good"), coalescer.add("bad")]);
  await tick();
  batches[0]?.end(["fine", new StoreFault("too long")]);
  t.deepEqual(
    (await first).map((one) => one.status),
    ["fulfilled", "rejected"],
  );
  const second = Promise.allSettled([coalescer.add("a"), coalescer.add("b")]);
  await tick();
  const third = coalescer.add("c");
  batches[1]?.fail(new Error("connection lost"));
  t.deepEqual(
    (await second).map((one) => one.status),
    ["rejected", "rejected"],
  );
  await tick();
  batches[2]?.end();
  t.is(await third, "c!");
});

test("nothing under way and nothing just ended: a call goes at once; after a statement it waits 2 ms for company, or for twelve", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const coalescer = new Coalescer<string, string>(run, (line) => line, clock);
  void coalescer.add("a");
  await clock.pass(0);
  t.is(batches.length, 1);
  batches[0]?.end();
  await clock.pass(0);
  void coalescer.add("b");
  await clock.pass(1.9);
  t.is(batches.length, 1);
  await clock.pass(0.1);
  t.deepEqual(batches[1]?.lines, ["b"]);
  batches[1]?.end();
  await clock.pass(0);
  for (let i = 0; i < 12; i++) void coalescer.add(`c${i}`);
  await clock.pass(0);
  t.is(batches[2]?.lines.length, 12);
  batches[2]?.end();
  await clock.pass(5);
  void coalescer.add("d");
  await clock.pass(0);
  t.deepEqual(batches[3]?.lines, ["d"]);
});
