import { Ledger } from "../../sandbox/merchant/ledger.ts";
import { MemoryChangeStore } from "../../src/adapters/memory/change-store.ts";
import { MemoryTransactionStore } from "../../src/adapters/memory/transaction-store.ts";
import { check } from "./check.ts";
import { drawFaults, type FaultName, NO_FAULTS } from "./faults.ts";
import { playFlows } from "./flows.ts";
import { Kernel } from "./kernel.ts";
import { ProviderDriver } from "./provider-driver.ts";
import type { RunRecord, Violation } from "./record.ts";
import { RecordedRows } from "./recorded-rows.ts";
import { Replica } from "./replica.ts";
import { SeededRandom } from "./seeded-random.ts";
import { type Policy, type ServiceProcess, startService } from "./service-process.ts";
import { Database } from "./simulated-store.ts";
import { WalletWorld } from "./simulated-wallet.ts";
import { CountingTelemetry, MERCHANTS, PLAYERS } from "./world-fixture.ts";

/** After healing: two of the longest backoffs, a lease, a quiet period and the time to look. */
const HEALED_MAX_MS = 900_000;
/** What was held by a process that stood still has become rows by then. */
const TAKEN_UP_MS = 10_000;
/** The sequencer visits every merchant within this. */
const NUMBERED_MS = 6_000;

export interface SeedOptions {
  /** Faults left out, to shrink a failing run. */
  readonly without?: readonly FaultName[];
}

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** Over every write of every row, in order: equal for equal seeds. */
  readonly hash: string;
  readonly mode: "safety" | "liveness";
  readonly tombstones: boolean;
  readonly events: number;
  readonly virtualMs: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly record: RunRecord;
}

/** One run: everything in it follows from the seed. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedReport> {
  const stream = (n: number) => new SeededRandom(seed, n);
  const plan = stream(1);
  const faults = drawFaults(plan);
  for (const name of options.without ?? []) faults[name] = 0;
  const mode = plan.pick(["safety", "liveness"] as const);
  const tombstones = plan.chance(0.3);
  const policy: Policy = {
    walletTimeoutMs: plan.pick([2_000, 8_000]),
    quietPeriodMs: plan.pick([15_000, 30_000, 60_000]),
    horizonMs: mode === "safety" && plan.chance(0.3) ? 30_000 : 72 * 3_600_000,
    placesPerMerchant: plan.pick([2, 8, 64]),
  };

  const kernel = new Kernel();
  const begunAt = kernel.now;
  const rows = new RecordedRows(kernel);
  const transactions = new MemoryTransactionStore(() => Math.floor(kernel.now), rows);
  const changes = new MemoryChangeStore(transactions);
  const database = new Database(transactions, changes, kernel, faults, stream(2), () => rows.nextStatement());
  const ledger = new Ledger({ tombstones });
  for (const { code, currency } of MERCHANTS) {
    ledger.addMerchant(code, currency);
    for (const player of PLAYERS) ledger.addPlayer(code, player, BigInt(plan.int(0, 3_000)));
  }
  // Whoever stands still inside a send makes its request later by that; the quiet period must be longer than both together.
  const pauseInSendMaxMs = faults.pause === 0 ? 0 : Math.min(faults.pauseMaxMs, 6_000);
  const limits = { pauseInSendMaxMs, lateMaxMs: policy.quietPeriodMs - pauseInSendMaxMs, keepsNotFound: plan.chance(0.5) };
  const wallets = new WalletWorld(ledger, kernel, faults, stream(3), limits);
  const telemetry = new CountingTelemetry();
  const surroundings = { kernel, database, wallets, telemetry, random: stream(4), policy };
  const replicas = Array.from(
    { length: plan.int(1, 3) },
    (_, i) => new Replica<ServiceProcess>(i, kernel, faults, stream(10 + i), (replica) => startService(replica, surroundings)),
  );
  const driver = new ProviderDriver(kernel, replicas, faults, stream(5), ledger);

  let healed = false;
  const weather = () => {
    if (healed) return;
    database.tick();
    for (const { code } of MERCHANTS) wallets.tick(code, PLAYERS);
    kernel.after(1_000, weather);
  };
  weather();
  let played = false;
  void playFlows(driver, plan.int(5, 20), { quietPeriodMs: policy.quietPeriodMs, windowMs: plan.pick([500, 5_000, 30_000]) }).then(() => {
    played = true;
  });

  await kernel.run(begunAt + plan.int(30_000, 120_000));
  if (mode === "liveness") {
    healed = true;
    Object.assign(faults, NO_FAULTS);
    database.heal();
    wallets.heal();
    await kernel.run(kernel.now + HEALED_MAX_MS, () => played && replicas.every((replica) => replica.isRunning()));
    await kernel.run(kernel.now + TAKEN_UP_MS);
    await kernel.run(kernel.now + HEALED_MAX_MS, () => !rows.hasOpenCredit());
    await kernel.run(kernel.now + NUMBERED_MS);
  }
  for (const replica of replicas) replica.stop();
  const endedAt = kernel.now;
  healed = true;
  // What is still under way in the network arrives at the wallets.
  await kernel.run(Number.POSITIVE_INFINITY);

  const record: RunRecord = {
    healed: mode === "liveness",
    endedAt,
    operations: driver.operations,
    calls: wallets.calls,
    effects: ledger.effects,
    merchantIds: new Map(MERCHANTS.map(({ code, id }) => [code, id])),
    forgotten: driver.forgotten,
    writes: rows.writes,
    rows: new Map([...rows].map(([key, { transaction, feedSeq }]) => [key, { transaction, feedSeq }])),
    sums: changes.sums,
    injuries: replicas.flatMap((replica) => replica.injuries),
    undisturbed: database.fired.size === 0 && replicas.every((replica) => replica.injuries.length === 1),
    crowded: policy.placesPerMerchant < 64 || telemetry.counts.has("alert breaker_open"),
    bugs: [...driver.bugs, ...[...telemetry.counts.keys()].filter((name) => name.startsWith("error"))],
  };
  const injuries = (kind: string): number => record.injuries.filter((one) => one.kind === kind).length;
  const counts = new Map([
    ...database.fired,
    ...wallets.fired,
    ...telemetry.counts,
    ["crash", injuries("crash") - replicas.length],
    ["pause", injuries("pause")],
  ] as [string, number][]);
  return { seed, violations: check(record), hash: rows.digest(), mode, tombstones, events: kernel.events, virtualMs: endedAt - begunAt, counts, record };
}
