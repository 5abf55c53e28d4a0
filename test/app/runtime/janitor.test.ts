import test from "ava";
import { Janitor } from "../../../src/app/runtime/janitor.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

/** A store with this many old entries. It deletes at most `limit` at once. */
class Old {
  bites: number[] = [];
  left: number;
  constructor(left: number) {
    this.left = left;
  }
  async forget(limit: number): Promise<number> {
    const bite = Math.min(limit, this.left);
    this.left -= bite;
    this.bites.push(bite);
    return bite;
  }
}

test("expired entries are deleted in batches from every store, and an unavailable store delays no other store", async (t) => {
  const clock = new ManualClock();
  const telemetry = new RecordedTelemetry();
  const [nonces, heartbeats] = [new Old(1_200), new Old(1)];
  const away = { forget: () => Promise.reject(new Error("away")) };
  const janitor = new Janitor({ away, nonces, heartbeats }, clock, telemetry);
  janitor.start();
  await clock.pass(10_000);
  t.deepEqual([nonces.bites, heartbeats.bites], [[500, 500, 200], [1]]);
  t.deepEqual(
    telemetry.errors.map(({ what }) => what),
    ["forgetting old away"],
  );
  nonces.left = 3;
  await clock.pass(10_000);
  t.is(nonces.left, 0);
  await janitor.stop();
  nonces.left = 3;
  await clock.pass(60_000);
  t.is(nonces.left, 3, "a stopped one forgets no more");
});

test("a stop of the janitor, which deletes expired entries, lets it finish its batch but begin no other batch", async (t) => {
  const clock = new ManualClock();
  const batches: (() => void)[] = [];
  // Each deletion deletes a full batch, as with two million nonces.
  const nonces = {
    forget: (limit: number) => new Promise<number>((resolve) => void batches.push(() => resolve(limit))),
  };
  const janitor = new Janitor({ nonces }, clock, new RecordedTelemetry());
  janitor.start();
  await clock.pass(10_000);
  batches[0]?.();
  await clock.pass(0);
  t.is(batches.length, 2);
  const stopped = janitor.stop();
  batches[1]?.();
  await stopped;
  t.is(batches.length, 2);
});
