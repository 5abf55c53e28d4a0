import test from "ava";
import { Coalescer } from "../../../src/app/runtime/coalescer.ts";
import { BATCH_MAX, StoreFault } from "../../../src/ports/transactions/transaction-store.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

/** A store whose statements end when the test releases them. */
function slowStore() {
  const batches: { lines: string[]; end: (outs?: (string | StoreFault)[]) => void; fail: (cause: Error) => void }[] =
    [];
  const run = (lines: string[]) =>
    new Promise<(string | StoreFault)[]>((resolve, reject) => {
      batches.push({ lines, end: (outs = lines.map((line) => `${line}!`)) => resolve(outs), fail: reject });
    });
  return { batches, run };
}

test("calls of one turn of the event loop share a batch, and each call gets its own result", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(1);
  const add = new Coalescer(clock).batched(run, (line: string) => line);
  const answers = Promise.all(["a", "b", "c"].map((line) => add(line)));
  await tick();
  t.deepEqual(
    batches.map((batch) => batch.lines),
    [["a", "b", "c"]],
  );
  batches[0]?.end();
  t.deepEqual(await answers, ["a!", "b!", "c!"]);
});

test("calls that come while a statement runs form the next batch; a batch of two dozen calls does not wait for that statement", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(1);
  const one = new Coalescer(clock).batched(run, (line: string) => line);
  const add = async (...lines: string[]) => {
    for (const line of lines) void one(line);
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

  await add(...Array.from({ length: 23 }, (_, i) => `d${i}`));
  t.is(batches.length, 2);
  await add("d23");
  t.is(batches[2]?.lines.length, 24);
  await add(...Array.from({ length: 99 }, (_, i) => `e${i}`));
  t.is(batches.length, 3);
});

test("a batch never contains a key twice, and never more calls than its limit", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(1);
  const add = new Coalescer(clock).batched(run, (line: string) => line);
  const lines = [...Array.from({ length: BATCH_MAX + 3 }, (_, i) => `k${i}`), "k0"];
  const answers = Promise.all(lines.map((line) => add(line)));
  await tick();
  t.is(batches[0]?.lines.length, BATCH_MAX);
  batches[0]?.end();
  await tick();
  t.deepEqual(batches[1]?.lines, ["k256", "k257", "k258", "k0"]);
  batches[1]?.end();
  t.is((await answers).length, lines.length);
});

test("an error of one entry rejects only its caller; a failed statement rejects its whole batch, but not the next batch", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const tick = () => clock.pass(1);
  const add = new Coalescer(clock).batched(run, (line: string) => line);
  const first = Promise.allSettled([add("good"), add("bad")]);
  await tick();
  batches[0]?.end(["fine", new StoreFault("too long")]);
  t.deepEqual(
    (await first).map((one) => one.status),
    ["fulfilled", "rejected"],
  );
  const second = Promise.allSettled([add("a"), add("b")]);
  await tick();
  const third = add("c");
  batches[1]?.fail(new Error("connection lost"));
  t.deepEqual(
    (await second).map((one) => one.status),
    ["rejected", "rejected"],
  );
  await tick();
  batches[2]?.end();
  t.is(await third, "c!");
});

test("after a statement with a dozen calls the next one waits 1 ms or for two dozen calls; after a smaller statement it is sent at once", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const one = new Coalescer(clock).batched(run, (line: string) => line);
  const sent = (n: number) => batches[n]?.lines.length;
  const add = async (lines: number) => {
    for (let i = 0; i < lines; i++) void one(`${batches.length} ${i}`);
    await clock.pass(0);
  };
  const end = async (n: number) => {
    batches[n]?.end();
    await clock.pass(0);
  };
  await add(1);
  await end(0);
  await add(11);
  t.is(sent(1), 11, "the one before was alone");
  await end(1);
  await add(12);
  t.is(sent(2), 12, "the one before had eleven");
  await end(2);
  await add(1);
  await clock.pass(0.9);
  t.is(batches.length, 3);
  await clock.pass(0.1);
  t.is(sent(3), 1, "the one before had twelve");
  await end(3);
  await add(12);
  await end(4);
  await add(24);
  t.is(sent(5), 24, "enough have come");
  await end(5);
  await clock.pass(5);
  await add(1);
  t.is(sent(6), 1);
});

test("two kinds of statements take turns: the kind that has waited longest is next, and a batch has statements of only one kind", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const coalescer = new Coalescer(clock);
  const claim = coalescer.batched(run, (line: string) => line);
  const settle = coalescer.batched(run, (line: string) => line);
  const sent = () => batches.map((batch) => batch.lines);
  void claim("claim 1");
  await clock.pass(0);
  const lost = [settle("settle 1")];
  void claim("claim 2");
  lost.push(settle("settle 2"));
  await clock.pass(10);
  t.deepEqual(sent(), [["claim 1"]]);
  batches[0]?.end();
  await clock.pass(3);
  t.deepEqual(sent().slice(1), [["settle 1", "settle 2"]]);
  batches[1]?.fail(new Error("connection lost"));
  for (const answer of lost) await t.throwsAsync(answer, { message: "connection lost" });
  await clock.pass(3);
  t.deepEqual(sent().slice(2), [["claim 2"]]);
  // Many lines form a batch even while a statement of another kind runs.
  for (let i = 0; i < 24; i++) void settle(`s${i}`);
  await clock.pass(0);
  t.is(batches[3]?.lines.length, 24);
});

test("a frequent kind of statement goes before a rare kind at most twice, and the batches of the frequent kind stay large", async (t) => {
  const clock = new ManualClock();
  const coalescer = new Coalescer(clock);
  /** Batches in the order in which they were sent. Each batch takes 100 ms. */
  const sent: { kind: string; lines: number }[] = [];
  const kind = (name: string) =>
    coalescer.batched(
      (lines: number[]) =>
        new Promise<number[]>((resolve) => {
          sent.push({ kind: name, lines: lines.length });
          clock.after(100, () => resolve(lines));
        }),
      String,
    );
  const [claim, settle] = [kind("claim"), kind("settle")];
  let claims = 0;
  const waits: { before: number; ms: number }[] = [];
  for (let ms = 0; ms < 6_000; ms += 10) {
    for (let i = 0; i < 5; i++) void claim(claims++);
    if (ms % 200 === 0) {
      const [before, at] = [sent.length, clock.monotonic()];
      void settle(ms).then(() => {
        waits.push({
          before: sent.slice(before).findIndex((batch) => batch.kind === "settle"),
          ms: clock.monotonic() - at,
        });
      });
    }
    await clock.pass(10);
  }
  t.true(waits.length >= 28, `${waits.length} of 30 settled`);
  // Earlier claims are sent first. Of the later claims, at most two batches are sent before the settle.
  t.true(Math.max(...waits.map((wait) => wait.before)) <= 1 + 2, JSON.stringify(waits));
  t.true(Math.max(...waits.map(({ ms }) => ms)) < 400, JSON.stringify(waits));
  // The first line was sent alone, and two dozen gathered during its statement.
  const small = sent.filter((batch, i) => i > 0 && batch.kind === "claim" && batch.lines < 24);
  t.deepEqual(small, []);
});

test("a statement that waits for a locked row holds other statements back for 200 ms; two such statements run beside the others", async (t) => {
  const { batches, run } = slowStore();
  const clock = new ManualClock();
  const one = new Coalescer(clock).batched(run, (line: string) => line);
  const sent = () => batches.map(({ lines }) => lines.join(" "));
  void one("locked");
  await clock.pass(0);
  void one("a");
  await clock.pass(199);
  t.deepEqual(sent(), ["locked"]);
  await clock.pass(1);
  t.deepEqual(sent(), ["locked", "a"]);
  void one("b");
  await clock.pass(0);
  t.deepEqual(sent(), ["locked", "a"]);
  batches[1]?.end();
  await clock.pass(0);
  t.deepEqual(sent(), ["locked", "a", "b"]);
  await clock.pass(200);
  void one("c");
  await clock.pass(300);
  void one("d");
  await clock.pass(300);
  t.deepEqual(sent(), ["locked", "a", "b", "c"], "the third waits for an end");
  batches[0]?.end();
  batches[3]?.end();
  await clock.pass(0);
  t.deepEqual(sent(), ["locked", "a", "b", "c", "d"]);
});
