import { setTimeout as sleep } from "node:timers/promises";
import type { LoadMessage, Target } from "../load/orders.ts";
import { openHandles, residentBytes } from "../machine/process-usage.ts";
import type { Bench, Target as Bound, Table } from "../measurement.ts";
import { capacityOf, SHARE } from "../measurements/latency.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const HEALTHY = 8;
const DEAD = 80;
const PLACES = 64;
const CALLS = DEAD * PLACES;
const MIB = 2 ** 20;
/** All calls begin within this time. */
const FLOOD_MS = 1_500;
/**
 * Longer than usual: the measured window must be between the beginning of the last call and the time-out of the first
 * call, and one core needs some time to begin all calls.
 */
const WALLET_TIMEOUT_MS = 15_000;
const HANGING_WINDOW_MS = 5_000;
/** If some calls are refused, the measurement starts after this time, before the other calls time out. */
const ALL_HANG_WITHIN_MS = 8_000;

export interface AllPlacesHang {
  readonly before: Window;
  readonly during: Window;
  readonly hanging: number;
  readonly residentMib: number;
  readonly peakMib: number;
  readonly handlesBefore: number;
  readonly handles: number;
}

/**
 * Calls that hang use all permits of 80 merchants. Measures the memory and the handles that this costs, and
 * the effect on other merchants.
 */
export async function everyPlaceHangs(bench: Bench): Promise<AllPlacesHang[]> {
  const parties = (origin: string) => [
    { merchants: HEALTHY, sessionsEach: 64, walletUrl: `${origin}/wallet` },
    { merchants: DEAD, sessionsEach: 1, walletUrl: `${origin}/hang` },
  ];
  const stage = await Stage.set(bench, "mariadb", parties, { pinned: true });
  try {
    const runs: AllPlacesHang[] = [];
    for (let i = 0; i < bench.options.runs; i++) {
      // A new process for each run, because the memory's peak is per process, and because the dead merchants have few
      // permits after the first run.
      const service = await stage.service("service", {
        MAX_IN_FLIGHT: "6000",
        WALLET_TIMEOUT_MS: String(WALLET_TIMEOUT_MS),
      });
      const healthy = stage.target(service, stage.directory.merchants.slice(0, HEALTHY));
      bench.pinnedCapacity ??= await capacityOf(bench, stage, service, healthy);
      runs.push(await once(bench, stage, service, healthy, bench.pinnedCapacity * SHARE));
      await stage.end(service);
    }
    return runs;
  } finally {
    await stage.clear();
  }
}

async function once(
  bench: Bench,
  stage: Stage,
  service: Program,
  target: Target,
  perSecond: number,
): Promise<AllPlacesHang> {
  const before = await stage.measure(service, {
    kind: "open",
    target,
    perSecond,
    warmUpMs: 5_000,
    measureMs: bench.options.seconds * 1_000,
  });
  const handlesBefore = openHandles(service.child.pid);

  const flood = await stage.secondLoad();
  try {
    const flooded = flood.next<LoadMessage & { kind: "end" }>("end");
    flood.send({
      kind: "flood",
      target: stage.target(service, stage.directory.merchants.slice(HEALTHY), 8),
      count: CALLS,
      withinMs: FLOOD_MS,
    });
    const hanging = await allHang(stage);
    const resident = residentBytes(service.child.pid);
    const handles = openHandles(service.child.pid);
    const during = await stage.measure(service, {
      kind: "open",
      target,
      perSecond,
      warmUpMs: 0,
      measureMs: HANGING_WINDOW_MS,
    });
    await flooded;
    const peak = residentBytes(service.child.pid).peak;
    bench.log(
      `${hanging} calls hang: ${figure(resident.now / MIB)} MiB, ${handles} handles, p99 of others ${figure(before.latencyMs.p99)} -> ${figure(during.latencyMs.p99)} ms`,
    );
    return { before, during, hanging, residentMib: resident.now / MIB, peakMib: peak / MIB, handlesBefore, handles };
  } finally {
    await flood.stop();
  }
}

async function allHang(stage: Stage): Promise<number> {
  const until = performance.now() + ALL_HANG_WITHIN_MS;
  for (;;) {
    const hanging = await stage.hanging();
    if (hanging >= CALLS || performance.now() > until) return hanging;
    await sleep(20);
  }
}

export function everyPlaceTable(runs: readonly AllPlacesHang[]): Table {
  const row = (what: string, figureOf: (run: AllPlacesHang) => number): string[] => [
    what,
    spreadText(spread(runs.map(figureOf))),
  ];
  return {
    title: `All permits of ${DEAD} merchants hang at once`,
    columns: ["", ""],
    rows: [
      row("calls hanging", (one) => one.hanging),
      row("resident memory while they hang, MiB", (one) => one.residentMib),
      row("peak of resident memory, their time-outs included, MiB", (one) => one.peakMib),
      row("file handles before", (one) => one.handlesBefore),
      row("file handles while they hang", (one) => one.handles),
      row("others' p99 before, ms", (one) => one.before.latencyMs.p99),
      row("others' p99 while they hang, ms", (one) => one.during.latencyMs.p99),
    ],
  };
}

export function everyPlaceTargets(runs: readonly AllPlacesHang[]): Bound[] {
  const of = (figureOf: (run: AllPlacesHang) => number) => spread(runs.map(figureOf));
  return [
    { what: "calls hanging at once", measured: of((one) => one.hanging), bound: { atLeast: CALLS }, unit: "" },
    {
      what: "resident memory with all of them",
      measured: of((one) => one.peakMib),
      bound: { atMost: 512 },
      unit: "MiB",
    },
    {
      what: `all permits of ${DEAD} hang: others' p99, of what it was`,
      measured: of((one) => one.during.latencyMs.p99 / one.before.latencyMs.p99),
      bound: { atMost: 1.2 },
      unit: "",
    },
  ];
}
