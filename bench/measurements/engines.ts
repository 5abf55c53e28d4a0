/** The cost of a bet on MySQL, compared with MariaDB. */
import type { Bench, Measurement, Section } from "../measurement.ts";
import { spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { startDatabase } from "../stage/bench-database.ts";
import type { Window } from "../stage/stage.ts";
import { type Competitor, measureInTurns, PLAYED, ratio, type Turns } from "../stage/turns.ts";

const CONCURRENCIES = [64, 256] as const;
const MARIADB: Competitor = { name: "MariaDB", start: (folder) => startDatabase("mariadb", folder) };
const MYSQL: Competitor = { name: "MySQL", start: (folder) => startDatabase("mysql", folder) };

export const engines: Measurement = { name: "engines", run };

async function run(bench: Bench): Promise<Section> {
  const all = await measureInTurns(bench, [MARIADB, MYSQL], CONCURRENCIES);
  const at = (wanted: number): readonly Turns[] => all.filter(({ concurrency }) => concurrency === wanted);
  return {
    title: "MySQL beside MariaDB",
    method:
      `${PLAYED}; both servers with innodb_flush_log_at_trx_commit=1 and without a binary log, and the same service on each; ` +
      `everything on the same machine. Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s that take turns. CPU time in us a bet, until every bet is numbered.`,
    tables: CONCURRENCIES.map((concurrency) => ({
      title: `${concurrency} concurrent`,
      columns: ["", "bets/s", "database us", "service us", "p50 ms", "p99 ms"],
      rows: at(concurrency).map(({ name, windows }) => {
        const cell = (of: (window: Window) => number): string => spreadText(spread(windows.map(of)));
        return [
          name,
          cell((w) => w.perSecond),
          cell((w) => w.cpu.database),
          cell((w) => w.cpu.program),
          cell((w) => w.latencyMs.p50),
          cell((w) => w.latencyMs.p99),
        ];
      }),
    })),
    targets: CONCURRENCIES.map((concurrency) => {
      const [mariadb, mysql] = at(concurrency) as [Turns, Turns];
      return {
        what: `at ${concurrency}: database CPU of MariaDB's`,
        measured: ratio(mysql, mariadb, (w) => w.cpu.database),
        bound: { atMost: 1.3 },
        unit: "",
      };
    }),
    raw: all,
  };
}
