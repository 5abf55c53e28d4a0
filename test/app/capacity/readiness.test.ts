import test from "ava";
import { Readiness } from "../../../src/app/capacity/readiness.ts";
import { Replicas } from "../../../src/app/capacity/replicas.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { BatchedRows } from "../../../src/app/transaction/batched-rows.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import type { ClaimLine } from "../../../src/ports/transactions/transaction-store.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryHeartbeatStore } from "../../../testbed/memory/heartbeat-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";
import { MemoryTransactionStore } from "../../../testbed/memory/transaction-store.ts";

let bets = 0;
const newBet = (): ClaimLine => ({
  content: {
    merchantId: 1,
    txId: `ACME:b${++bets}` as TxId,
    action: "bet",
    playerId: "ana" as PlayerId,
    roundId: "r",
    amountMinor: 250n,
    currency: "BRL",
    game: { id: 1, code: "fruits", providerId: 1, provider: "ACME" as ProviderCode },
    refTxId: null,
  },
  token: String(bets).padStart(32, "0"),
  as: "leased",
  leaseMs: wholeMs(1_000),
});

/** A replica whose database can refuse reads, writes or new transactions. */
async function started() {
  const clock = new ManualClock();
  const database = { reads: true, writes: true, room: true };
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
  const store = new MemoryTransactionStore(() => clock.monotonic());
  const claim = store.claim.bind(store);
  store.claim = async (lines) => {
    if (!database.room) throw new StoreUnavailable("the disk is full");
    return claim(lines);
  };
  const rows = new BatchedRows(store, clock);
  /** Resolves to whether the claim was accepted. */
  const bet = async (): Promise<boolean> => {
    const claimed = rows.claim(newBet()).then(
      () => true,
      () => false,
    );
    // The claim may wait for other claims of its batch.
    await clock.pass(5);
    return claimed;
  };
  return { clock, database, bet, readiness: new Readiness(settings, replicas, rows, clock) };
}

test("a replica is not ready if it has not read the database for eight seconds, and is ready again after the next read", async (t) => {
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

test("a replica whose database refuses writes is not ready after its next heartbeat, until a heartbeat succeeds", async (t) => {
  const { clock, database, readiness } = await started();
  database.writes = false;
  await clock.pass(5_000);
  t.deepEqual(readiness.reasons(), ["database"]);
  database.writes = true;
  await clock.pass(5_000);
  t.deepEqual(readiness.reasons(), []);
});

test("a replica is not ready if every claim has failed for two seconds; five seconds later it is ready to try a claim again", async (t) => {
  const { clock, database, bet, readiness } = await started();
  database.room = false;
  t.false(await bet());
  await clock.pass(1_000);
  t.false(await bet());
  t.deepEqual(readiness.reasons(), [], "it may have been a lock");
  await clock.pass(1_000);
  t.false(await bet());
  t.deepEqual(readiness.reasons(), ["database"]);
  await clock.pass(5_001);
  t.deepEqual(readiness.reasons(), [], "a replica that is not ready gets no requests");
  t.false(await bet());
  t.deepEqual(readiness.reasons(), ["database"]);
  database.room = true;
  t.true(await bet());
  t.deepEqual(readiness.reasons(), []);
});

test("a draining replica is not ready, whatever the state of its database", async (t) => {
  const { clock, readiness } = await started();
  readiness.drain();
  await clock.pass(10_000);
  t.deepEqual(readiness.reasons(), ["draining"]);
});
