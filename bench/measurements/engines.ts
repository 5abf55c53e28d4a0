/** The cost of a bet on MySQL, compared with MariaDB. */
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const ENGINES = ["mariadb", "mysql"] as const;
const CONCURRENCIES = [64, 256] as const;
const MERCHANTS = 8;
const SESSIONS_EACH = 64;
const WARM_UP_MS = 3_000;

interface Pair {
  readonly concurrency: number;
  readonly mariadb: Window;
  readonly mysql: Window;
}

export const engines: Measurement = { name: "engines", run };

async function run(bench: Bench): Promise<Section> {
  const stages = { mariadb: await set(bench, "mariadb"), mysql: await set(bench, "mysql") };
  try {
    const programs = { mariadb: await stages.mariadb.service("service"), mysql: await stages.mysql.service("service") };
    const measure = (engine: (typeof ENGINES)[number], concurrency: number): Promise<Window> =>
      measured(bench, stages[engine], programs[engine], engine, concurrency);
    const pairs: Pair[] = [];
    for (let i = 0; i < bench.options.runs; i++) {
      for (const concurrency of CONCURRENCIES) {
        // The servers alternate in which of them is measured first.
        const mysqlFirst = i % 2 === 1 ? await measure("mysql", concurrency) : undefined;
        const mariadb = await measure("mariadb", concurrency);
        pairs.push({ concurrency, mariadb, mysql: mysqlFirst ?? (await measure("mysql", concurrency)) });
      }
    }
    return section(bench, pairs);
  } finally {
    for (const engine of ENGINES) await stages[engine].clear();
  }
}

const set = (bench: Bench, engine: (typeof ENGINES)[number]): Promise<Stage> =>
  Stage.set(bench, engine, (origin) => [
    { merchants: MERCHANTS, sessionsEach: SESSIONS_EACH, walletUrl: `${origin}/wallet` },
  ]);

async function measured(
  bench: Bench,
  stage: Stage,
  program: Program,
  engine: string,
  concurrency: number,
): Promise<Window> {
  const window = await stage.measure(program, {
    kind: "closed",
    target: stage.provider(program, stage.directory.merchants, { lean: true }),
    concurrency,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  });
  bench.log(
    `${concurrency} concurrent, ${engine}: ${figure(window.perSecond)} bets/s, ${figure(window.cpu.database)} us of the database`,
  );
  return window;
}

function section(bench: Bench, pairs: readonly Pair[]): Section {
  const at = (concurrency: number) => pairs.filter((pair) => pair.concurrency === concurrency);
  return {
    title: "MySQL beside MariaDB",
    method:
      `${MERCHANTS} merchants, ${MERCHANTS * SESSIONS_EACH} sessions; both servers with innodb_flush_log_at_trx_commit=1 and without a binary log, and the same service on each; ` +
      `everything on the same machine. Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s that take turns. CPU time in us a bet, until every bet is numbered.`,
    tables: CONCURRENCIES.map((concurrency) => ({
      title: `${concurrency} concurrent`,
      columns: ["", "bets/s", "database us", "service us", "p50 ms", "p99 ms"],
      rows: ENGINES.map((engine) => {
        const cell = (of: (window: Window) => number): string =>
          spreadText(spread(at(concurrency).map((pair) => of(pair[engine]))));
        return [
          engine === "mysql" ? "MySQL" : "MariaDB",
          cell((w) => w.perSecond),
          cell((w) => w.cpu.database),
          cell((w) => w.cpu.program),
          cell((w) => w.latencyMs.p50),
          cell((w) => w.latencyMs.p99),
        ];
      }),
    })),
    targets: CONCURRENCIES.map((concurrency) => ({
      what: `at ${concurrency}: database CPU of MariaDB's`,
      measured: spread(at(concurrency).map(({ mysql, mariadb }) => mysql.cpu.database / mariadb.cpu.database)),
      bound: { atMost: 1.3 },
      unit: "",
    })),
    raw: pairs,
  };
}
