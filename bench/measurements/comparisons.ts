/**
 * The cost of a bet in several variants, measured in turns: MySQL beside MariaDB, many merchants beside few, with traces
 * beside without, and a bet with its win in one call or two, with and without the end of its round.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RoundCalls } from "../load/orders.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { startDatabase } from "../stage/bench-database.ts";
import type { Window } from "../stage/stage.ts";
import { type Competitor, measureInTurns, PLAYED, ratio, type Turns } from "../stage/turns.ts";

const CONCURRENCIES = [64, 256] as const;

interface Compared {
  readonly title: string;
  /** What is equal and what is different. */
  readonly method: string;
  readonly base: Competitor;
  /**
   * `atMost`: the bound of its cost, as a multiple of the base's cost. A competitor without a bound only shows the noise,
   * or what the cost is made of.
   */
  readonly others: readonly { readonly competitor: Competitor; readonly atMost?: number }[];
  /** The figures of a window that are compared. The first has the bound. */
  readonly costs: readonly [Cost, ...Cost[]];
}

interface Cost {
  readonly what: string;
  readonly of: (window: Window) => number;
}
const DATABASE: Cost = { what: "database CPU", of: ({ cpu }) => cpu.database };
/** Everything but the database: the service, its caller and the wallet. */
const AROUND: Cost = { what: "CPU without the database", of: ({ cpu }) => cpu.program + cpu.load + cpu.wallet };
const SERVICE: Cost = { what: "service CPU", of: ({ cpu }) => cpu.program };

export const engines: Measurement = {
  name: "engines",
  run: (bench) =>
    compare(bench, {
      title: "MySQL beside MariaDB",
      method:
        "both servers with innodb_flush_log_at_trx_commit=1 and without a binary log, and the same service on each",
      base: { name: "MariaDB", start: (folder) => startDatabase("mariadb", folder) },
      others: [{ competitor: { name: "MySQL", start: (folder) => startDatabase("mysql", folder) }, atMost: 1.3 }],
      costs: [DATABASE],
    }),
};

/** Each call returns another function, so that each competitor has a server of its own. */
const ownMariadb = (): Competitor["start"] => (folder) => startDatabase("mariadb", folder, [], "written");

/** The same bets of many merchants. Work for each merchant, such as its change numbers, shows here. */
export const merchants: Measurement = {
  name: "merchants",
  run: (bench) =>
    compare(bench, {
      title: "Many merchants",
      method: "the other service has 200 merchants with 3 sessions each, and a MariaDB of its own",
      base: { name: "8 merchants", start: ownMariadb() },
      others: [{ competitor: { name: "200 merchants", merchants: 200, start: ownMariadb() }, atMost: 1.4 }],
      costs: [DATABASE],
    }),
};

/**
 * Traces as an operator switches them on: one of 100 bets is traced, and a receiver takes the spans. The cost of 1 % is
 * less than what other work on the machine changes. So a second service without traces shows the noise, and another
 * service traces every bet.
 */
export const traces: Measurement = {
  name: "traces",
  async run(bench) {
    const receiver = createServer((request, response) => void request.resume().once("end", () => response.end()));
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    const { port } = receiver.address() as AddressInfo;
    const start = (folder: string) => startDatabase("mariadb", folder);
    const traced = (name: string, share: number): Competitor => ({
      name,
      start,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: String(share) },
    });
    try {
      return await compare(bench, {
        title: "Traces",
        method: "services with and without traces on one MariaDB",
        base: { name: "without traces", start },
        others: [
          { competitor: { name: "without traces, again", start } },
          { competitor: traced("1 % traced", 0.01), atMost: 1.03 },
          // If every traced bet costs 4 times as much, 1 % of them cost 3 % more.
          { competitor: traced("every bet traced", 1), atMost: 4 },
        ],
        costs: [SERVICE],
      });
    } finally {
      receiver.close().closeAllConnections();
    }
  },
};

/**
 * A bet and its win in one call, beside two calls. A row of the table is a round. `(a)` is the service with a store that
 * answers at once, so its part of the cost is not the database's.
 */
export const plays: Measurement = {
  name: "plays",
  run(bench) {
    const start = ownMariadb();
    const competitor = (round: RoundCalls, program: "service" | "instant"): Competitor => ({
      name: program === "service" ? round : `(a) ${round}`,
      start,
      program,
      shared: program,
      round,
    });
    return compare(bench, {
      title: "A bet and its win in one call",
      method: "one service whose callers send PlaceBet and PayWin, or Play",
      base: competitor("bet, win", "service"),
      others: [
        { competitor: competitor("play", "service"), atMost: 0.65 },
        { competitor: competitor("bet, its win", "service") },
        { competitor: competitor("bet, win", "instant") },
        { competitor: competitor("play", "instant") },
      ],
      costs: [AROUND, SERVICE, DATABASE],
    });
  },
};

/** The same bets by the service of another checkout, with a database of its own release. */
export const versions: Measurement = {
  name: "versions",
  async run(bench) {
    const { beside: checkout } = bench.options;
    if (checkout === undefined) throw new Error("versions needs --beside: the folder of another checkout");
    const start = ownMariadb();
    return compare(bench, {
      title: "This version beside another",
      method: "two services on one MariaDB, each with a database of its own version",
      base: { name: "the other", start, checkout },
      others: [
        { competitor: { name: "this version", start }, atMost: 1.03 },
        { competitor: { name: "the other, again", start, checkout } },
      ],
      costs: [AROUND, SERVICE, DATABASE],
    });
  },
};

/** What a provider costs that ends its rounds: each round is a bet, a win and an end. */
export const roundEnds: Measurement = {
  name: "round-ends",
  run(bench) {
    const start = ownMariadb();
    return compare(bench, {
      title: "Rounds that end",
      method: "services on one MariaDB; the provider of the first never ends a round",
      base: { name: "bet, win", start, round: "bet, win", shared: "without ends" },
      others: [
        { competitor: { name: "bet, win, end", start, round: "bet, win, end", shared: "with ends" }, atMost: 1.05 },
        { competitor: { name: "play", start, round: "play", shared: "without ends" } },
        { competitor: { name: "play, end", start, round: "play, end", shared: "with ends" } },
      ],
      costs: [DATABASE, SERVICE],
    });
  },
};

async function compare(bench: Bench, { title, method, base, others, costs }: Compared): Promise<Section> {
  const all = await measureInTurns(bench, [base, ...others.map(({ competitor }) => competitor)], CONCURRENCIES);
  const at = (wanted: number): readonly Turns[] => all.filter(({ concurrency }) => concurrency === wanted);
  return {
    title,
    method:
      `${PLAYED}; ${method}; everything on the same machine. Median (lowest-highest) of ${bench.options.runs} runs ` +
      `of ${bench.options.seconds} s that take turns. CPU time in us a bet, until every bet is numbered.`,
    tables: CONCURRENCIES.map((concurrency) => ({
      title: `${concurrency} concurrent`,
      columns: [
        "",
        "bets/s",
        "database us",
        "service us",
        "p50 ms",
        "p99 ms",
        ...costs.map(({ what }) => `${what} of ${base.name}`),
      ],
      rows: at(concurrency).map((turns, i, [first = turns]) => {
        const cell = (of: (window: Window) => number): string => spreadText(spread(turns.windows.map(of)));
        return [
          turns.name,
          cell((w) => w.perSecond),
          cell((w) => w.cpu.database),
          cell((w) => w.cpu.program),
          cell((w) => w.latencyMs.p50),
          cell((w) => w.latencyMs.p99),
          ...costs.map(({ of }) => (i === 0 ? "" : spreadText(ratio(turns, first, of)))),
        ];
      }),
    })),
    targets: CONCURRENCIES.flatMap((concurrency) => {
      const [first, ...rest] = at(concurrency) as [Turns, ...Turns[]];
      return rest.flatMap((turns, i) => {
        const atMost = others[i]?.atMost;
        const [cost] = costs;
        const what = `at ${concurrency}: ${cost.what}, ${turns.name}, divided by ${base.name}`;
        return atMost === undefined
          ? []
          : { what, measured: ratio(turns, first, cost.of), bound: { atMost }, unit: "" };
      });
    }),
    raw: all,
  };
}
