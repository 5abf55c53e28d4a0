import test from "ava";
import { Replicas } from "../../../src/app/capacity/replicas.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryHeartbeatStore } from "../../../testbed/memory/heartbeat-store.ts";

/** A store that a test can make unavailable. */
class CutHeartbeats extends MemoryHeartbeatStore {
  cut = false;
  override async beat(replica: string, withinMs: number): Promise<number> {
    if (this.cut) throw new Error("cut");
    return super.beat(replica, withinMs);
  }
}

function world() {
  const clock = new ManualClock();
  const store = new CutHeartbeats(clock);
  const telemetry = new RecordedTelemetry();
  const replica = (id: string) => new Replicas(store, id, clock, telemetry);
  return { clock, store, telemetry, replica };
}

test("a replica notices within five seconds that another one starts or stops; it still counts a dead replica after 10 s, but not after 20 s", async (t) => {
  const { clock, replica } = world();
  const [a, b, c] = [replica("a"), replica("b"), replica("c")];
  await a.start();
  t.is(a.live, 1);
  await b.start();
  await c.start();
  t.deepEqual([a.live, c.live], [1, 3]);
  await clock.pass(5_000);
  t.deepEqual([a.live, b.live], [3, 3]);
  await b.stop();
  await clock.pass(5_000);
  t.deepEqual([a.live, c.live], [2, 2]);

  const alone = world();
  const living = alone.replica("living");
  await living.start();
  await alone.store.beat("dead", 15_000);
  await alone.clock.pass(10_000);
  t.is(living.live, 2);
  await alone.clock.pass(10_000);
  t.is(living.live, 1);
});

test("while the store is unavailable the replica uses the last number, and the error is logged", async (t) => {
  const { clock, store, telemetry, replica } = world();
  const [a, b] = [replica("a"), replica("b")];
  await a.start();
  await b.start();
  store.cut = true;
  await clock.pass(60_000);
  t.is(b.live, 2);
  t.is(a.live, 1);
  t.true(telemetry.errors.length > 0);
  store.cut = false;
  await clock.pass(10_000);
  t.deepEqual([a.live, b.live], [2, 2]);
});

test("a replica that starts while its store is unavailable counts itself", async (t) => {
  const { store, replica } = world();
  store.cut = true;
  const a = replica("a");
  await a.start();
  t.is(a.live, 1);
});
