/** More callers than the service can serve: its throughput, the calls that it refuses, and its recovery. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { isReady } from "../../testbed/service/readiness.ts";
import { transactionRows } from "../history/transaction-rows.ts";
import type { LoadMessage, Target as LoadTarget, Order } from "../load/orders.ts";
import { residentBytes } from "../machine/process-usage.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { Answers, type Compared, type Tally, violationsOf } from "../overload/answers.ts";
import {
  added,
  closedTable,
  comparedTable,
  floodTable,
  type Run,
  refusalTable,
  TIMES,
  type Times,
  targets,
} from "../overload/report.ts";
import { type Point, saturation } from "../overload/saturation.ts";
import { figure } from "../report/report.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";
import { SHARE } from "./latency.ts";

export const overload: Measurement = { name: "overload", run };

const MERCHANTS = 50;
const CALLERS = [32, 64, 128, 256, 512, 1_024] as const;
const FLOOD_TIMES = 10;
const MIX = { wins: 0.3, refunds: 0, repeats: 0 };
const WARM_UP_MS = 3_000;
/** After this time the service must be as fast as before. */
const RECOVERY_MS = 10_000;
const SAMPLE_MS = 250;
const MIB = 2 ** 20;

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(
    bench,
    "mariadb",
    (origin) => [{ merchants: MERCHANTS, sessionsEach: 16, walletUrl: `${origin}/wallet` }],
    { pinned: true },
  );
  try {
    const url = await stage.seeded();
    const service = await stage.serviceOver(url);
    const phases = new Phases(stage, service);
    const saturated = await findSaturation(bench, phases);
    const runs: Run[] = [];
    for (let i = 0; i < bench.options.runs; i++) runs.push(await once(bench, stage, service, phases, saturated));
    const compared = await phases.compare(url);
    return section(bench, stage, saturated, runs, phases, compared);
  } finally {
    await stage.clear();
  }
}

/** The loads of this measurement, and the results of their calls. */
class Phases {
  readonly #stage: Stage;
  readonly #service: Program;
  readonly target: LoadTarget;
  readonly #answers = new Answers();
  readonly tallies = new Map<string, Tally[]>();
  #files = 0;

  constructor(stage: Stage, service: Program) {
    this.#stage = stage;
    this.#service = service;
    this.target = stage.provider(service, stage.directory.merchants, { mix: MIX, lean: true });
  }

  async measure(phase: string, order: Order): Promise<Window> {
    const history = this.file();
    const measured = await this.#stage.measure(this.#service, { ...order, history });
    await this.read(phase, history);
    return measured;
  }

  file(): string {
    this.#files += 1;
    return join(this.#stage.folder, `history-${this.#files}.tsv`);
  }

  async read(phase: string, history: string): Promise<void> {
    this.tallies.set(phase, [...(this.tallies.get(phase) ?? []), await this.#answers.read(history)]);
  }

  async compare(url: string): Promise<Compared> {
    const database = openDatabase(url, { max: 1, decisiveMax: 1 });
    try {
      return await this.#answers.compare(transactionRows(database));
    } finally {
      await database.close();
    }
  }
}

async function findSaturation(bench: Bench, phases: Phases): Promise<Point> {
  const points: Point[] = [];
  const window = { warmUpMs: WARM_UP_MS, measureMs: bench.options.seconds * 1_000 };
  for (const callers of CALLERS) {
    const { perSecond, others } = await phases.measure("looking for saturation", {
      kind: "closed",
      target: phases.target,
      concurrency: callers,
      ...window,
    });
    points.push({ callers, perSecond });
    bench.log(`${callers} callers: ${figure(perSecond)}/s, not SUCCESS ${JSON.stringify(others)}`);
  }
  return saturation(points);
}

async function once(bench: Bench, stage: Stage, service: Program, phases: Phases, saturated: Point): Promise<Run> {
  const measureMs = bench.options.seconds * 1_000;
  const { target } = phases;
  const closed = new Map<Times, Window>();
  for (const times of [1, ...TIMES] as const) {
    const concurrency = saturated.callers * times;
    const window = await phases.measure(`${times} x the callers`, {
      kind: "closed",
      target,
      concurrency,
      warmUpMs: WARM_UP_MS,
      measureMs,
    });
    bench.log(
      `${concurrency} callers: ${figure(window.perSecond)}/s, p99 ${figure(window.latencyMs.p99)} ms, not SUCCESS ${JSON.stringify(window.others)}`,
    );
    closed.set(times, window);
  }

  const perSecond = (closed.get(1)?.perSecond ?? 0) * SHARE;
  const before = await phases.measure("before the flood", {
    kind: "open",
    target,
    perSecond,
    warmUpMs: WARM_UP_MS,
    measureMs,
  });
  const { measured: flood, resident, notReady } = await floodOf(bench, stage, service, phases, perSecond / SHARE);
  const after = await phases.measure("after the flood", {
    kind: "open",
    target,
    perSecond,
    warmUpMs: RECOVERY_MS,
    measureMs,
  });
  bench.log(
    `p99 ${figure(before.latencyMs.p99)} ms before, ${figure(after.latencyMs.p99)} after; goodput ${figure(before.perSecond)}/s before, ${figure(after.perSecond)} after`,
  );
  return { closed, before, flood, resident, notReady, after };
}

/**
 * Ten times the calls that the service can serve, from a separate process, until each caller has an answer or has given
 * up.
 */
async function floodOf(bench: Bench, stage: Stage, service: Program, phases: Phases, saturatedPerSecond: number) {
  const load = await stage.secondLoad();
  try {
    const history = phases.file();
    const ended = load.next<LoadMessage & { kind: "end" }>("end");
    const measureMs = bench.options.seconds * 1_000;
    load.send({
      kind: "open",
      target: phases.target,
      perSecond: saturatedPerSecond * FLOOD_TIMES,
      warmUpMs: 0,
      measureMs,
      history,
    } satisfies Order);
    const resident: number[] = [];
    const until = performance.now() + measureMs;
    const readiness = notReadyUntil(until, service);
    for (; performance.now() < until; await sleep(SAMPLE_MS)) {
      service.child.assertRuns();
      resident.push(residentBytes(service.child.pid).now / MIB);
    }
    const [{ measured }, notReady] = await Promise.all([ended, readiness]);
    await phases.read("10 x, open loop", history);
    bench.log(
      `flood: ${figure((measured.answered * 1_000) / measured.windowMs)} calls/s, ${figure((measured.succeeded * 1_000) / measured.windowMs)}/s succeeded, ` +
        `${figure(Math.max(...resident))} MiB, not SUCCESS ${JSON.stringify(measured.others)}`,
    );
    return { measured, resident, notReady };
  } finally {
    await load.stop();
  }
}

async function notReadyUntil(until: number, service: Program): Promise<number> {
  let notReady = 0;
  for (; performance.now() < until; await sleep(SAMPLE_MS)) if (!(await isReady(service.restOrigin))) notReady += 1;
  return notReady;
}

function section(
  bench: Bench,
  stage: Stage,
  saturated: Point,
  runs: readonly Run[],
  phases: Phases,
  compared: Compared,
): Section {
  const tallies = new Map([...phases.tallies].map(([phase, list]) => [phase, added(list)]));
  return {
    title: "Overload",
    method:
      `${MERCHANTS} merchants, ${MIX.wins * 100} % wins, the rest bets, over four connections with the server's stream limits in force. ${saturated.callers} callers in a closed loop are the fewest that get within 5 % of the ` +
      `most that any number gets done; then two and five times as many, and ${FLOOD_TIMES} times that rate in an open loop. A caller that is refused comes again after 50 to 150 ms. ${stage.sharing} ` +
      `Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s.`,
    tables: [closedTable(saturated, runs), floodTable(runs), refusalTable(tallies), comparedTable(compared)],
    targets: targets(runs, tallies),
    violations: violationsOf(compared),
    raw: {
      saturated,
      compared,
      runs: runs.map((one) => ({ ...one, closed: [...one.closed] })),
      tallies: [...tallies].map(([phase, tally]) => [
        phase,
        [...tally].map(([kind, counts]) => [kind, Object.fromEntries(counts)]),
      ]),
    },
  };
}
