import type { RunRecord, Violation } from "../../testbed/judge/record.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { check } from "./judge/check.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { playFlows } from "./people/flows.ts";
import { ProviderDriver } from "./people/provider-driver.ts";
import { Support } from "./people/support.ts";
import type { Policy } from "./service/service-process.ts";
import { drawFaults, type FaultName } from "./world/faults.ts";
import { Stage } from "./world/stage.ts";
import { MERCHANTS } from "./world/world-fixture.ts";

/**
 * The time for healing: two of the longest backoffs, a lease, a quiet period, the backward steps of the database's
 * clock, and a scan.
 */
const HEALED_MAX_MS = 1_200_000;
/** After this time a paused process has written the rows that it held. */
const TAKEN_UP_MS = 10_000;
/** Faults that delay a resend, or change its gap. */
const DISTURBING: ReadonlySet<string> = new Set([
  "dbRefused",
  "dbLost",
  "dbPoisoned",
  "dbLocked",
  "dbSlow",
  "dbAgain",
  "dbDown",
  "dbAway",
  "dbClockBack",
  "dbClockForward",
  "nodeSkew",
  "clog",
]);

export interface SeedOptions {
  /** Faults that are switched off, to shrink a failing run. */
  readonly without?: readonly FaultName[];
  /** An empty database that also runs every statement. */
  readonly mirror?: Mirror;
}

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** A hash of every write of every row, in order: equal for equal seeds. */
  readonly hash: string;
  readonly mode: "safety" | "liveness";
  readonly tombstones: boolean;
  readonly events: number;
  readonly virtualMs: number;
  readonly counts: ReadonlyMap<string, number>;
  /** The number of times that each fault hit each call. */
  readonly cells: ReadonlyMap<string, number>;
  readonly record: RunRecord;
}

/** One run: the seed decides everything in it. */
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
    horizonMs: mode === "safety" && plan.chance(0.4) ? 30_000 : 72 * 3_600_000,
    placesPerMerchant: plan.pick([2, 8, 64]),
  };
  const opening = () => BigInt(plan.int(0, 3_000));
  const stage = new Stage({
    seed,
    replicas: plan.int(1, 3),
    faults,
    policy,
    tombstones,
    keepsNotFound: plan.chance(0.5),
    opening,
    slips: false,
    mirror: options.mirror,
  });
  const { kernel, rows, replicas, wallets, telemetry, database } = stage;
  const begunAt = kernel.now;
  const driver = new ProviderDriver(stage, stream(5));
  const support = new Support(stage, stream(6), driver.operations);

  // Support closes rows that are older than the horizon. So the run must continue after the horizon.
  const isShort = policy.horizonMs < 3_600_000;
  const lastsMs = isShort ? plan.int(60_000, 150_000) : plan.int(30_000, 120_000);
  let played = false;
  const flows = playFlows(driver, plan.int(5, 20), {
    support,
    quietPeriodMs: policy.quietPeriodMs,
    windowMs: plan.pick([500, 5_000, 30_000]),
  });
  void Promise.all([flows, support.play(plan.pick(isShort ? [8, 16, 32] : [0, 4, 12]), lastsMs)]).then(() => {
    played = true;
  });

  await kernel.run(begunAt + lastsMs);
  if (mode === "liveness") {
    stage.heal();
    await kernel.run(kernel.now + HEALED_MAX_MS, () => played && replicas.every((replica) => replica.isRunning()));
    await kernel.run(Math.max(kernel.now, database.busyUntil) + TAKEN_UP_MS);
    await kernel.run(kernel.now + HEALED_MAX_MS, () => !rows.hasOpenCredit());
    await kernel.run(kernel.now + HEALED_MAX_MS, () => !rows.hasUnnumbered());
  }
  const endedAt = kernel.now;
  await stage.end();

  const counts = stage.counts();
  const record: RunRecord = {
    healed: mode === "liveness",
    endedAt,
    operations: driver.operations,
    calls: wallets.calls,
    effects: stage.ledger.effects,
    merchantIds: new Map(MERCHANTS.map(({ code, id }) => [code, id])),
    forgotten: driver.forgotten,
    writes: rows.writes,
    rows: new Map([...rows].map(([key, { transaction, feedSeq }]) => [key, { transaction, feedSeq }])),
    sums: stage.changes.sums,
    processFaults: replicas.flatMap((replica) => replica.processFaults),
    commands: support.commands,
    ends: driver.ends,
    roundWrites: rows.roundWrites,
    closedUnseen: support.closedUnseen(rows.writes),
    forwardAt: stage.clocks.forwardAt,
    undisturbed:
      ![...counts.keys()].some((name) => DISTURBING.has(name)) &&
      replicas.every((replica) => replica.processFaults.length === 1),
    horizonMs: policy.horizonMs,
    quietPeriodMs: policy.quietPeriodMs,
    crowded: policy.placesPerMerchant < 64 || telemetry.counts.has("alert breaker_open"),
    bugs: [...driver.bugs, ...support.bugs, ...[...telemetry.counts.keys()].filter((name) => name.startsWith("error"))],
  };
  await options.mirror?.compareEnd(record, stage.clocks.database());
  const { cells } = stage.fired;
  const virtualMs = endedAt - begunAt;
  return {
    seed,
    violations: check(record),
    hash: rows.digest(),
    mode,
    tombstones,
    events: kernel.events,
    virtualMs,
    counts,
    cells,
    record,
  };
}
