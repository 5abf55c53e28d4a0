import test from "ava";
import { PendingCensus } from "../../../src/app/feed/pending-census.ts";
import { PendingAges, type PendingCount } from "../../../src/ports/transactions/pending-ages.ts";
import { merchantRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

/** A reader that answers when the test releases it. */
class HeldAges extends PendingAges {
  stop = new AbortController().signal;
  readonly queries: { answer: (counts: PendingCount[]) => void; fail: (cause: Error) => void }[] = [];

  override count(
    _merchantIds: readonly number[],
    _agesMs: readonly number[],
    stop: AbortSignal,
  ): Promise<PendingCount[]> {
    this.stop = stop;
    return new Promise((answer, fail) => void this.queries.push({ answer, fail }));
  }
}

function start() {
  const [ages, clock, telemetry] = [new HeldAges(), new ManualClock(), new RecordedTelemetry()];
  const census = new PendingCensus(ages, () => [{ ...merchantRecord("shop"), id: 7 }], clock, telemetry);
  return { ages, clock, telemetry, census };
}

test("each count of pending transactions has the merchant's code and the minimum age", async (t) => {
  const { ages, census } = start();
  const taken = census.take();
  ages.queries[0]?.answer([{ merchantId: 7, counts: [5, 4, 3, 2, 1, 0] }]);
  t.deepEqual(
    (await taken).map(({ merchant, olderThan, count }) => `${merchant} ${olderThan} ${count}`),
    ["shop 0 5", "shop 1m 4", "shop 10m 3", "shop 1h 2", "shop 1d 1", "shop 3d 0"],
  );
});

test("if the database does not answer within 250 ms, the list of counts is empty, and no second query runs beside the first one", async (t) => {
  const { ages, clock, telemetry, census } = start();
  const taken = [census.take(), census.take()];
  await clock.pass(250);
  t.deepEqual(await Promise.all(taken), [[], []]);
  void census.take();
  t.is(ages.queries.length, 1);
  ages.queries[0]?.fail(new Error("no database"));
  await clock.pass(0);
  t.is(telemetry.errors.length, 1);
  void census.take();
  t.is(ages.queries.length, 2);
});

test("while the database is slow or gone, the last counts are shown for a minute", async (t) => {
  const { ages, clock, census } = start();
  const first = census.take();
  ages.queries[0]?.answer([{ merchantId: 7, counts: [5, 4, 3, 2, 1, 0] }]);
  const counts = await first;
  t.is(counts.length, 6);
  const slow = census.take();
  await clock.pass(250);
  t.deepEqual(await slow, counts);
  ages.queries[1]?.fail(new Error("no database"));
  await clock.pass(0);
  const refused = census.take();
  ages.queries[2]?.fail(new Error("no database"));
  t.deepEqual(await refused, counts);
  await clock.pass(60_000);
  const old = census.take();
  ages.queries[3]?.fail(new Error("no database"));
  t.deepEqual(await old, []);
});

test("a stop tells the count to end, and the stop ends after the statement in progress", async (t) => {
  const { ages, census } = start();
  void census.take();
  t.false(ages.stop.aborted);
  const stopped = census.stop();
  t.true(ages.stop.aborted);
  ages.queries[0]?.answer([]);
  await t.notThrowsAsync(stopped);
});
