/** Bets per second and CPU time per bet of the whole service, compared with its floors. */

import type { Bench, Measurement, Section, Table, Target } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { Program, ProgramName } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const CONCURRENCIES = [64, 256] as const;
const MERCHANTS = 8;
const SESSIONS_EACH = 64;
const WARM_UP_MS = 3_000;

/** A refusal costs less than a bet but counts as an answer, so refusals make the figures wrong. */
const BUSY = " **Some bets were refused: the machine had other things to do, and these figures mean little.**";

type Concurrency = (typeof CONCURRENCIES)[number];
interface Run {
  readonly concurrency: Concurrency;
  readonly windows: ReadonlyMap<ProgramName, Window>;
}

const NAME = { mariadb: "MariaDB", sqlite: "SQLite" } as const;
type Kind = keyof typeof NAME;
const LABEL: Readonly<Partial<Record<ProgramName, string>>> = {
  service: "the service",
  instant: "(a) the same program, its store answers at once",
  proxy: "(b) a plain signed proxy",
  textbook: "(c) SELECT, INSERT, POST, UPDATE",
  bare: "(d) the same program, only its two durable statements",
};

export const speed = (kind: Kind): Measurement => ({ name: `speed-${kind}`, run: (bench) => run(bench, kind) });

async function run(bench: Bench, kind: Kind): Promise<Section> {
  const stage = await Stage.set(bench, kind, (origin) => [
    { merchants: MERCHANTS, sessionsEach: SESSIONS_EACH, walletUrl: `${origin}/wallet` },
  ]);
  try {
    const programs = [
      await stage.service("service"),
      await stage.service("instant"),
      await stage.proxy(),
      await stage.textbook(),
      ...(kind === "mariadb" ? [await stage.service("bare")] : []),
    ];
    const runs: Run[] = [];
    for (let i = 0; i < bench.options.runs; i++)
      for (const concurrency of CONCURRENCIES)
        runs.push(await interleaved(bench, stage, rotated(programs, i), concurrency));
    if (kind === "mariadb") bench.capacity = figures(runs, 64, "service", (window) => window.perSecond).median;
    return section(kind, bench, runs);
  } finally {
    await stage.clear();
  }
}

async function interleaved(
  bench: Bench,
  stage: Stage,
  programs: readonly Program[],
  concurrency: Concurrency,
): Promise<Run> {
  const windows = new Map<ProgramName, Window>();
  for (const program of programs) {
    // The lean client is used, because grpc-js would need CPU time of the program's cores. Programs that wait for a
    // database would suffer more from this than the other programs.
    const target = stage.provider(program, stage.directory.merchants, { lean: true });
    const order = {
      kind: "closed",
      target,
      concurrency,
      warmUpMs: WARM_UP_MS,
      measureMs: bench.options.seconds * 1_000,
    } as const;
    const window = await stage.measure(program, order);
    bench.log(
      `${concurrency} concurrent, ${program.name}: ${figure(window.perSecond)} bets/s, ${figure(window.cpu.program)} us`,
    );
    windows.set(program.name, window);
  }
  return { concurrency, windows };
}

/** Each round begins with another program. */
const rotated = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];

function figures(
  runs: readonly Run[],
  concurrency: Concurrency,
  name: ProgramName,
  of: (window: Window) => number,
): Spread {
  return spread(runs.filter((one) => one.concurrency === concurrency).map((one) => of(windowOf(one, name))));
}

/** The service's figure divided by the floor's figure of the same run. */
function ratios(
  runs: readonly Run[],
  concurrency: Concurrency,
  floor: ProgramName,
  of: (window: Window) => number,
): Spread {
  return spread(
    runs
      .filter((one) => one.concurrency === concurrency)
      .map((one) => of(windowOf(one, "service")) / of(windowOf(one, floor))),
  );
}

function windowOf(run: Run, name: ProgramName): Window {
  const window = run.windows.get(name);
  if (window === undefined) throw new Error(`${name} was not measured`);
  return window;
}

function section(kind: Kind, bench: Bench, runs: readonly Run[]): Section {
  const { seconds } = bench.options;
  const where =
    kind === "mariadb"
      ? "MariaDB with innodb_flush_log_at_trx_commit=1"
      : "SQLite with synchronous=FULL, inside each program's process";
  return {
    title: `Speed on ${NAME[kind]}`,
    method:
      `${MERCHANTS} merchants, ${MERCHANTS * SESSIONS_EACH} sessions, ${where}; load, program, wallet and database on the same machine. Median (lowest-highest) of ` +
      `${bench.options.runs} interleaved runs of ${seconds} s. CPU time in us a bet, of each process; the service's and the database's until every bet is numbered.` +
      (runs.some((one) => [...one.windows.values()].some((window) => Object.keys(window.others).length > 0))
        ? BUSY
        : ""),
    tables: CONCURRENCIES.map((concurrency) => table(kind, runs, concurrency)),
    targets: CONCURRENCIES.flatMap((concurrency) => targets(kind, runs, concurrency)),
    raw: runs.map((one) => ({ concurrency: one.concurrency, windows: [...one.windows.values()] })),
  };
}

function table(kind: Kind, runs: readonly Run[], concurrency: Concurrency): Table {
  const names = (Object.keys(LABEL) as ProgramName[]).filter((name) => runs[0]?.windows.has(name));
  const rows = names.map((name) => {
    const cell = (of: (window: Window) => number): string => spreadText(figures(runs, concurrency, name, of));
    const others = runs
      .flatMap((one) => (one.concurrency === concurrency ? Object.values(windowOf(one, name).others) : []))
      .reduce((sum, n) => sum + n, 0);
    return [
      LABEL[name] ?? name,
      cell((w) => w.perSecond),
      cell((w) => w.cpu.program),
      cell((w) => w.cpu.database),
      cell((w) => w.cpu.load),
      cell((w) => w.cpu.wallet),
      cell((w) => w.latencyMs.p50),
      cell((w) => w.latencyMs.p99),
      String(others),
    ];
  });
  return {
    title: `${NAME[kind]}, ${concurrency} concurrent`,
    columns: ["", "bets/s", "program us", "database us", "load us", "wallet us", "p50 ms", "p99 ms", "not SUCCESS"],
    rows,
  };
}

/** The bounds. Each is a ratio within a run, because absolute figures depend on the machine. */
function targets(kind: Kind, runs: readonly Run[], concurrency: Concurrency): Target[] {
  const ratio = (what: string, floor: ProgramName, of: (window: Window) => number, bound: Target["bound"]): Target => ({
    what: `at ${concurrency}: ${what}`,
    measured: ratios(runs, concurrency, floor, of),
    bound,
    unit: "",
  });
  const rate = (window: Window): number => window.perSecond;
  const programCpu = (window: Window): number => window.cpu.program;
  const databaseCpu = (window: Window): number => window.cpu.database;
  const isFew = concurrency === 64;
  if (kind === "sqlite")
    return isFew
      ? [
          ratio("bets/s of (a)", "instant", rate, { atLeast: 0.45 }),
          ratio("bets/s of (c)", "textbook", rate, { atLeast: 3 }),
        ]
      : [];
  return [
    ratio("database CPU of (c)", "textbook", databaseCpu, { atMost: 0.25 }),
    ratio("service CPU of (b)", "proxy", programCpu, { atMost: 1.05 }),
    ratio("bets/s of (b)", "proxy", rate, { atLeast: isFew ? 0.72 : 0.75 }),
    ratio("bets/s of (a)", "instant", rate, { atLeast: isFew ? 0.72 : 0.78 }),
    ratio("bets/s of (c)", "textbook", rate, { atLeast: 2.5 }),
  ];
}
