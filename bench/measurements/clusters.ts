/** The cost of a bet on a cluster of three nodes, compared with one server of the same product. */
import { execFileSync } from "node:child_process";
import type { Cluster } from "../../testbed/cluster/cluster.ts";
import { GaleraCluster } from "../../testbed/cluster/galera-cluster.ts";
import { GroupCluster } from "../../testbed/cluster/group-cluster.ts";
import { VitessCluster } from "../../testbed/cluster/vitess-cluster.ts";
import { MARIADB, MYSQL, type Product } from "../../testbed/database/products.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { type DatabaseKind, startDatabase } from "../stage/bench-database.ts";
import type { Window } from "../stage/stage.ts";
import { type Competitor, measureInTurns, PLAYED, ratio, type Turns } from "../stage/turns.ts";

const CONCURRENCY = 64;
const DATABASE = "aggregator";
/** Of every server, alone or in a cluster. Up to seven of them run at once. */
const sizes = (product: Product): readonly string[] => ["--innodb-buffer-pool-size=512M", product.logSize("512M")];
/** A member of a group has these settings, and MySQL writes a binary log by default. */
const BINARY_LOG = ["--log-bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"];

/** The first of each list is the server with which the clusters beside it are compared. */
const COMPARED: readonly (readonly Competitor[])[] = [
  [
    { name: "one MariaDB", start: (folder) => startDatabase("mariadb", folder, sizes(MARIADB)) },
    clusterOf("Galera", "mariadb", () => GaleraCluster.begin(sizes(MARIADB))),
  ],
  [
    { name: "one MySQL", start: (folder) => startDatabase("mysql", folder, [...sizes(MYSQL), ...BINARY_LOG]) },
    clusterOf("group replication, one primary", "mysql", () => GroupCluster.begin("single", sizes(MYSQL))),
    clusterOf("group replication, three primaries", "mysql", () => GroupCluster.begin("multi", sizes(MYSQL))),
    clusterOf("Vitess", "mysql", () => VitessCluster.begin(sizes(MYSQL))),
  ],
];

function clusterOf(name: string, kind: DatabaseKind, begin: () => Promise<Cluster>): Competitor {
  return {
    name,
    start: async () => {
      const cluster = await begin();
      return {
        kind,
        get pids() {
          return cluster.pids;
        },
        create: async () => {
          await cluster.create(DATABASE);
          return cluster.url(0, DATABASE);
        },
        grow: () => cluster.grow(),
        untilApplied: () => cluster.untilApplied(DATABASE),
        stop: () => cluster.stop(),
      };
    },
  };
}

export const clusters: Measurement = { name: "clusters", run };

async function run(bench: Bench): Promise<Section> {
  execFileSync(process.execPath, ["tools/system-packages.mjs", "cluster"], { stdio: "inherit" });
  // Each started process adds a listener that ends it together with this process.
  process.setMaxListeners(0);
  const compared: (readonly Turns[])[] = [];
  for (const competitors of COMPARED) compared.push(await measureInTurns(bench, competitors, [CONCURRENCY]));
  return {
    title: "Clusters beside one server",
    method:
      `${PLAYED}, ${CONCURRENCY} concurrent bets at one replica of the service. It uses the first node, which is the primary if there is only one. ` +
      "Every server flushes its log at each commit; MySQL's servers write a binary log. All nodes, the service, the load and the wallet share one machine. " +
      `Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s that take turns. Ratios compare windows of the same run. CPU time in us a bet, of all servers together, until every node has applied every bet.`,
    tables: [
      {
        title: "",
        columns: [
          "",
          "bets/s",
          "of one server's",
          "databases us",
          "of one server's",
          "service us",
          "p50 ms",
          "p99 ms",
          "not SUCCESS",
        ],
        rows: compared.flatMap((group) => group.map((one) => row(one, group[0] as Turns))),
      },
    ],
    targets: [],
    raw: compared,
  };
}

function row(turns: Turns, single: Turns): readonly string[] {
  const cell = (of: (window: Window) => number): string => spreadText(spread(turns.windows.map(of)));
  const beside = (of: (window: Window) => number): string =>
    turns === single ? "" : spreadText(ratio(turns, single, of));
  return [
    turns.name,
    cell((w) => w.perSecond),
    beside((w) => w.perSecond),
    cell((w) => w.cpu.database),
    beside((w) => w.cpu.database),
    cell((w) => w.cpu.program),
    cell((w) => w.latencyMs.p50),
    cell((w) => w.latencyMs.p99),
    String(turns.windows.reduce((sum, { others }) => sum + Object.values(others).reduce((a, b) => a + b, 0), 0)),
  ];
}
