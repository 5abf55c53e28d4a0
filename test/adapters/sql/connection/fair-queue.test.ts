import test from "ava";
import { FairQueue } from "../../../../src/adapters/sql/connection/fair-queue.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";

const HOUR_MS = 3_600_000;
const REFUSED = { instanceOf: StoreUnavailable };

/** A task that runs until `end` is called. */
function longTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

test("a caller gets no more tasks than its share, so the other callers get theirs", async (t) => {
  const queue = new FairQueue({ runningMax: 4, waitingMax: 8, waitMs: HOUR_MS, perCaller: 2 });
  const reports = [longTask(), longTask()] as const;
  const taken = reports.map(({ run }) => queue.run(1, run));
  await t.throwsAsync(
    queue.run(1, async () => t.fail()),
    REFUSED,
  );
  t.is(await queue.run(2, async () => "another's"), "another's");
  reports[0].end();
  await taken[0];
  t.is(await queue.run(1, async () => "its next"), "its next");
  reports[1].end();
  await taken[1];
});

test("a waiting task counts in its caller's share", async (t) => {
  const queue = new FairQueue({ runningMax: 1, waitingMax: 8, waitMs: HOUR_MS, perCaller: 2 });
  const first = longTask();
  const running = queue.run(1, first.run);
  const waiting = queue.run(1, async () => "after it");
  await t.throwsAsync(
    queue.run(1, async () => t.fail()),
    REFUSED,
  );
  const others = queue.run(2, async () => "last");
  first.end();
  await running;
  t.deepEqual([await waiting, await others], ["after it", "last"]);
});

test("a task that waits too long is refused, and no longer counts in the queue or in its caller's share", async (t) => {
  const queue = new FairQueue({ runningMax: 1, waitingMax: 1, waitMs: 20, perCaller: 1 });
  const first = longTask();
  const running = queue.run(1, first.run);
  for (let i = 0; i < 2; i++)
    await t.throwsAsync(
      queue.run(2, async () => t.fail()),
      REFUSED,
    );
  first.end();
  await running;
  t.is(await queue.run(2, async () => "its turn"), "its turn");
});

test("the queue skips a caller that may not run another task, and continues with it when one of its tasks ends", async (t) => {
  const queue = new FairQueue({ runningMax: 4, runningPerCaller: 2, waitingMax: 64, waitMs: HOUR_MS, perCaller: 32 });
  const order: string[] = [];
  const exports = Array.from({ length: 20 }, longTask);
  const taken = exports.map(({ run }, n) =>
    queue.run(1, () => {
      order.push(`export ${n}`);
      return run();
    }),
  );
  t.is(await queue.run(2, async () => "another's listing"), "another's listing");
  t.deepEqual(order, ["export 0", "export 1"]);
  for (const [n, { end }] of exports.entries()) {
    end();
    await taken[n];
  }
  t.deepEqual(
    order,
    exports.map((_, n) => `export ${n}`),
  );
});
