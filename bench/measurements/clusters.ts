/** The cost of a bet on a cluster of three nodes, compared with one server of the same product. */
import type { Cluster } from "../../testbed/cluster/cluster.ts";
import { GaleraCluster } from "../../testbed/cluster/galera-cluster.ts";
import { GroupCluster } from "../../testbed/cluster/group-cluster.ts";
import { obtainMysql } from "../../testbed/database/mysql-server.ts";
import { MARIADB, MYSQL, type Product } from "../../testbed/database/products.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { invent } from "../../testbed/directory/seed.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { BenchDatabase } from "../stage/bench-database.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const CONCURRENCY = 64;
const MERCHANTS = 8;
const SESSIONS_EACH = 64;
const WARM_UP_MS = 3_000;
const DATABASE = "aggregator";

/** A database, and what makes it whole when it has its first rows. */
interface Place extends BenchDatabase {
  grow(): Promise<void>;
}

interface Competitor {
  readonly name: string;
  start(): Promise<Place>;
}

const one = (name: string, product: Product, options: readonly string[] = []): Competitor => ({
  name,
  start: async () => {
    if (product === MYSQL) obtainMysql();
    const server = await startDatabaseServer(options, undefined, product);
    return {
      kind: product === MYSQL ? "mysql" : "mariadb",
      pids: [server.pid],
      create: () => server.createDatabase(),
      grow: async () => {},
      stop: () => server.stop(),
    };
  },
});

const three = (name: string, kind: "mariadb" | "mysql", begin: () => Promise<Cluster>): Competitor => ({
  name,
  start: async () => {
    const cluster = await begin();
    const [first] = cluster.nodes;
    return {
      kind,
      pids: cluster.nodes.map(({ pid }) => pid),
      create: async () => {
        await first.ask(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`);
        return first.url(DATABASE);
      },
      grow: () => cluster.grow(),
      stop: () => cluster.stop(),
    };
  },
});

/** The first of each list is the server with which the clusters beside it are compared. */
const CONTESTS: readonly (readonly Competitor[])[] = [
  [one("one MariaDB", MARIADB), three("Galera", "mariadb", GaleraCluster.begin)],
  [
    // As MySQL is by default, and as each member of a group is.
    one("one MySQL with a binary log", MYSQL, ["--log-bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]),
    three("group replication, one primary", "mysql", () => GroupCluster.begin("single")),
    three("group replication, all members take writes", "mysql", () => GroupCluster.begin("multi")),
  ],
];

export const clusters: Measurement = { name: "clusters", run };

interface Results {
  readonly name: string;
  readonly windows: readonly Window[];
  /** Bets a second, and CPU time of all servers a bet, as a share of the single server's in the same turn. */
  readonly rate: Spread;
  readonly cost: Spread;
}

async function run(bench: Bench): Promise<Section> {
  const results: Results[] = [];
  for (const contest of CONTESTS) results.push(...(await compete(bench, contest)));
  return {
    title: "Clusters beside one server",
    method:
      `${MERCHANTS} merchants, ${MERCHANTS * SESSIONS_EACH} sessions, ${CONCURRENCY} concurrent bets at one replica of the service, which uses the first node. ` +
      "Every server flushes its log at each commit. All three nodes, the service, the load and the wallet share this machine, so the rate says more about the CPU time than about a network. " +
      `Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s that take turns.`,
    tables: [
      {
        title: `${CONCURRENCY} concurrent`,
        columns: ["", "bets/s", "of one server's", "us of all servers a bet", "of one server's", "p50 ms", "p99 ms"],
        rows: results.map(({ name, windows, rate, cost }) => {
          const cell = (of: (window: Window) => number): string => spreadText(spread(windows.map(of)));
          return [
            name,
            cell((w) => w.perSecond),
            spreadText(rate),
            cell((w) => w.cpu.database),
            spreadText(cost),
            cell((w) => w.latencyMs.p50),
            cell((w) => w.latencyMs.p99),
          ];
        }),
      },
    ],
    targets: [],
    raw: results,
  };
}

/** Measures the competitors in turns, on servers that all run the whole time. */
async function compete(bench: Bench, competitors: readonly Competitor[]): Promise<readonly Results[]> {
  const stages: { readonly stage: Stage; readonly program: Program; readonly windows: Window[] }[] = [];
  const begun: Stage[] = [];
  try {
    for (const { start } of competitors) {
      let place: Place | undefined;
      const stage = await Stage.around(
        bench,
        async () => {
          place = await start();
          return place;
        },
        (origin) => invent([{ merchants: MERCHANTS, sessionsEach: SESSIONS_EACH, walletUrl: `${origin}/wallet` }]),
      );
      begun.push(stage);
      const url = await stage.seeded();
      await place?.grow();
      stages.push({ stage, program: await stage.serviceOver(url), windows: [] });
    }
    for (let i = 0; i < bench.options.runs; i++) {
      // The order changes from turn to turn.
      for (const n of competitors.keys()) {
        const at = (n + i) % competitors.length;
        const { stage, program, windows } = stages[at] as (typeof stages)[number];
        windows.push(await measured(bench, stage, program, competitors[at]?.name ?? ""));
      }
    }
  } finally {
    for (const stage of begun) await stage.clear();
  }
  const [base] = stages;
  return stages.map(({ windows }, at) => {
    const ratio = (of: (window: Window) => number): Spread =>
      spread(windows.map((window, i) => of(window) / of(base?.windows[i] as Window)));
    return {
      name: competitors[at]?.name ?? "",
      windows,
      rate: ratio((w) => w.perSecond),
      cost: ratio((w) => w.cpu.database),
    };
  });
}

async function measured(bench: Bench, stage: Stage, program: Program, name: string): Promise<Window> {
  const window = await stage.measure(program, {
    kind: "closed",
    target: stage.provider(program, stage.directory.merchants, { lean: true }),
    concurrency: CONCURRENCY,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  });
  bench.log(`${name}: ${figure(window.perSecond)} bets/s, ${figure(window.cpu.database)} us of the database`);
  return window;
}
