import test from "ava";
import { MemoryHeartbeatStore } from "../../src/adapters/memory/heartbeat-store.ts";
import { MemorySettingsStore } from "../../src/adapters/memory/settings-store.ts";
import { Readiness } from "../../src/app/readiness.ts";
import { Replicas } from "../../src/app/replicas.ts";
import { Settings } from "../../src/app/settings.ts";
import { StoreUnavailable } from "../../src/ports/store-unavailable.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { RecordedTelemetry } from "../harness/recorded-telemetry.ts";

/** A replica whose database answers reads, takes writes, or doesn't. */
async function started() {
  const clock = new ManualClock();
  const database = { reads: true, writes: true };
  const settingsStore = new MemorySettingsStore(clock);
  const epoch = settingsStore.epoch.bind(settingsStore);
  settingsStore.epoch = async () => {
    if (!database.reads) throw new StoreUnavailable("not in the majority");
    return epoch();
  };
  const heartbeats = new MemoryHeartbeatStore(clock);
  const beat = heartbeats.beat.bind(heartbeats);
  heartbeats.beat = async (replica, withinMs) => {
    if (!database.writes) throw new StoreUnavailable("read-only");
    return beat(replica, withinMs);
  };
  const settings = new Settings(settingsStore, clock, new RecordedTelemetry());
  const replicas = new Replicas(heartbeats, "a", clock, new RecordedTelemetry());
  await settings.start();
  await replicas.start();
  return { clock, database, readiness: new Readiness(settings, replicas, clock) };
}

test("a replica whose database answers no reads is not ready after eight seconds, and ready again with the first that it answers", async (t) => {
  const { clock, database, readiness } = await started();
  t.deepEqual(readiness.reasons(), []);
  database.reads = false;
  await clock.pass(7_500);
  t.deepEqual(readiness.reasons(), [], "its cluster may be leaving a dead node out");
  await clock.pass(1_000);
  t.deepEqual(readiness.reasons(), ["database"]);
  database.reads = true;
  await clock.pass(250);
  t.deepEqual(readiness.reasons(), []);
});

test("a replica whose database takes no writes is not ready from its next heartbeat on, until one is taken", async (t) => {
  const { clock, database, readiness } = await started();
  database.writes = false;
  await clock.pass(5_000);
  t.deepEqual(readiness.reasons(), ["database"]);
  database.writes = true;
  await clock.pass(5_000);
  t.deepEqual(readiness.reasons(), []);
});

test("a replica that drains is not ready, whatever its database does", async (t) => {
  const { clock, readiness } = await started();
  readiness.drain();
  await clock.pass(10_000);
  t.deepEqual(readiness.reasons(), ["draining"]);
});
