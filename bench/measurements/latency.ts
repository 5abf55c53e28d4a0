/** The latency that the service adds to the wallet's own latency. */
import type { Target } from "../load/orders.ts";
import type { Bench, Target as Bound, Measurement, Section, Table } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

/** The share of the capacity at which latency is measured. */
export const SHARE = 0.4;
const WARM_UP_MS = 3_000;
const LOADS = ["open", "one at a time"] as const;

type LoadName = (typeof LOADS)[number];
type Subject = Window["program"];
interface Run {
  readonly load: LoadName;
  readonly windows: ReadonlyMap<Subject, Window>;
}

const LABEL = {
  wallet: "the wallet itself",
  proxy: "a plain signed proxy",
  instant: "the service, its store answers at once",
  service: "the service",
} as const satisfies Partial<Record<Subject, string>>;
const SUBJECTS = Object.keys(LABEL) as (keyof typeof LABEL)[];

export const latency: Measurement = { name: "latency", run };

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: 8, sessionsEach: 64, walletUrl: `${origin}/wallet` },
  ]);
  try {
    const service = await stage.service("service");
    const programs = [service, await stage.service("instant"), await stage.proxy()];
    bench.capacity ??= await capacityOf(bench, stage, service, targetOf(stage, service));
    const perSecond = bench.capacity * SHARE;
    const subjects = [undefined, ...programs];
    const runs: Run[] = [];
    for (let i = 0; i < bench.options.runs; i++) {
      for (const load of LOADS) {
        const windows = new Map<Subject, Window>();
        for (const program of subjects) {
          const window = await measure(bench, stage, program, load, perSecond);
          windows.set(window.program, window);
        }
        runs.push({ load, windows });
      }
    }
    return section(bench, perSecond, runs);
  } finally {
    await stage.clear();
  }
}

/** Bets per second with 64 callers. */
export async function capacityOf(bench: Bench, stage: Stage, service: Program, target: Target): Promise<number> {
  const order = {
    kind: "closed",
    target,
    concurrency: 64,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  } as const;
  const { perSecond, others } = await stage.measure(service, order);
  if (perSecond === 0) throw new Error(`no bet succeeded while the capacity was measured: ${JSON.stringify(others)}`);
  bench.log(`capacity: ${figure(perSecond)} bets/s`);
  return perSecond;
}

/** The capacity of a stage whose program and database share one core. It is measured once in a run of the bench. */
export async function pinnedCapacity(bench: Bench, stage: Stage, service: Program): Promise<number> {
  bench.pinnedCapacity ??= await capacityOf(bench, stage, service, stage.target(service));
  return bench.pinnedCapacity;
}

/**
 * The load generator without grpc-js, with which `speed-mariadb` measures the capacity, too. With grpc-js it would need
 * more CPU time for a call than the proxy, on the same cores.
 */
const targetOf = (stage: Stage, program: Program | undefined): Target =>
  program === undefined ? stage.target(undefined) : stage.provider(program, stage.directory.merchants, { lean: true });

async function measure(
  bench: Bench,
  stage: Stage,
  program: Program | undefined,
  load: LoadName,
  perSecond: number,
): Promise<Window> {
  const window = { target: targetOf(stage, program), warmUpMs: WARM_UP_MS, measureMs: bench.options.seconds * 1_000 };
  const measured = await stage.measure(
    program,
    load === "open" ? { kind: "open", ...window, perSecond } : { kind: "closed", ...window, concurrency: 1 },
  );
  bench.log(
    `${load}, ${measured.program}: p50 ${figure(measured.latencyMs.p50)} ms, p99 ${figure(measured.latencyMs.p99)} ms`,
  );
  return measured;
}

function section(bench: Bench, perSecond: number, runs: readonly Run[]): Section {
  return {
    title: "Latency",
    method:
      `MariaDB; in the open loop ${figure(perSecond)} bets/s (${SHARE * 100} % of the capacity) arrive in random intervals, however slowly they are answered. "Added" is beside the wallet ` +
      `itself, called directly in the same run. Median (lowest-highest) of ${bench.options.runs} interleaved runs of ${bench.options.seconds} s.`,
    tables: LOADS.map((load) => table(runs, load)),
    targets: targets(runs),
    raw: runs.map((one) => ({ load: one.load, windows: [...one.windows.values()] })),
  };
}

/** The bounds of the open loop. Each is a ratio of the service's figure to the proxy's figure of the same run. */
function targets(runs: readonly Run[]): Bound[] {
  const ratio = (of: (run: Run, subject: Subject) => number): Spread =>
    figures(runs, "open", (run) => of(run, "service") / of(run, "proxy"));
  const addedP50 = (run: Run, subject: Subject): number =>
    windowOf(run, subject).latencyMs.p50 - windowOf(run, "wallet").latencyMs.p50;
  return [
    { what: "open loop: added p50 of the proxy's", measured: ratio(addedP50), bound: { atMost: 3 }, unit: "" },
    {
      what: "open loop: p99 of the proxy's",
      measured: ratio((run, subject) => windowOf(run, subject).latencyMs.p99),
      bound: { atMost: 1 },
      unit: "",
    },
  ];
}

function table(runs: readonly Run[], load: LoadName): Table {
  const rows = SUBJECTS.map((subject) => {
    const cell = (of: (window: Window) => number): string =>
      spreadText(figures(runs, load, (run) => of(windowOf(run, subject))));
    const added = (of: (window: Window) => number): string =>
      subject === "wallet"
        ? ""
        : spreadText(figures(runs, load, (run) => of(windowOf(run, subject)) - of(windowOf(run, "wallet"))));
    return [
      LABEL[subject],
      cell((w) => w.latencyMs.p50),
      cell((w) => w.latencyMs.p99),
      added((w) => w.latencyMs.p50),
      added((w) => w.latencyMs.p99),
      load === "open" ? cell((w) => w.latenessMs?.p99 ?? Number.NaN) : "",
    ];
  });
  return {
    title: load === "open" ? "Open loop" : "One at a time",
    columns: ["", "p50 ms", "p99 ms", "added p50 ms", "added p99 ms", "sent late p99 ms"],
    rows,
  };
}

function figures(runs: readonly Run[], load: LoadName, of: (run: Run) => number): Spread {
  return spread(runs.filter((one) => one.load === load).map(of));
}

function windowOf(run: Run, subject: Subject): Window {
  const window = run.windows.get(subject);
  if (window === undefined) throw new Error(`${subject} was not measured`);
  return window;
}
