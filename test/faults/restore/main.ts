/**
 * `npm run restore-drill [-- --engine mariadb|vitess] [--seconds N] [--seed S]`: restores a real MariaDB, or all tablets
 * of a Vitess keyspace, from a base backup and the binary log, by the steps of docs/deployment.md, while the service is
 * under load.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { VitessCluster } from "../../../testbed/cluster/vitess-cluster.ts";
import { BinaryLog } from "../../../testbed/database/base-backup.ts";
import { MARIADB } from "../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { VITESS_VERSION } from "../../../testbed/vitess/programs.ts";
import { Stage as ClusterStage } from "../cluster/stage.ts";
import { Stage } from "../database/stage.ts";
import { documented } from "../documented.ts";
import type { Drilled } from "./drill.ts";
import { keyspaceLost } from "./keyspace.ts";
import { toAMoment } from "./to-a-moment.ts";
import { toTheEnd } from "./to-the-end.ts";

const SHOWN_MAX = 20;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", default: "mariadb" },
      /** The time of play before and after each step. */
      seconds: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
    },
  });
  const drills = ENGINES[values.engine];
  if (drills === undefined) throw new Error(`--engine must be ${Object.keys(ENGINES).join(" or ")}`);
  const wanted = { playMs: 1_000 * Number(values.seconds), seed: Number(values.seed) };
  const ends: Ends = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const interrupted = () => void close().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    let violations = 0;
    for await (const one of drills(wanted, ends)) {
      violations += one.violations.length;
      print(one);
    }
    return violations;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

interface Wanted {
  /** The time of play before and after each step. */
  readonly playMs: number;
  readonly seed: number;
}
/** What must be ended, the last one first. */
type Ends = (() => void | Promise<void>)[];

async function* ofMariaDb({ playMs, seed }: Wanted, ends: Ends): AsyncGenerator<Drilled> {
  const folder = mkdtempSync(join(tmpdir(), "binlog-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const log = new BinaryLog(folder);
  const server = await startDatabaseServer(log.options, undefined, MARIADB);
  ends.push(() => server.stop());
  const stage = await Stage.open(server, seed);
  ends.push(() => stage.close());
  await stage.ask("CREATE USER backup@localhost");
  await stage.ask(documented("GRANT RELOAD"));
  const [found] = await stage.ask("SELECT VERSION() AS version");
  announce(`MariaDB ${found?.version}`, stage);
  for (const drill of [toTheEnd, toAMoment]) yield await drill(stage, log, playMs);
}

async function* ofVitess({ playMs, seed }: Wanted, ends: Ends): AsyncGenerator<Drilled> {
  const cluster = await VitessCluster.begin();
  const stage = await ClusterStage.set(cluster, seed);
  ends.push(() => stage.close());
  announce(`Vitess ${VITESS_VERSION}`, stage);
  yield await keyspaceLost(stage, cluster, playMs);
}

const ENGINES: Readonly<Record<string, typeof ofMariaDb>> = { mariadb: ofMariaDb, vitess: ofVitess };

const announce = (database: string, { replicas, installation }: Pick<Stage, "replicas" | "installation">): void =>
  console.log(`${database}, ${replicas.length} replicas, ${installation.players.length} players\n`);

function print({ title, figures, violations }: Drilled): void {
  const width = Math.max(...figures.map(([name]) => name.length));
  const found = violations.map(({ invariant, key, what }) => `- ${invariant} ${key}: ${what}`);
  console.log(
    [
      `${title}:`,
      ...figures.map(([name, text]) => `${name.padEnd(width)}  ${text}`),
      `${violations.length} violations`,
      ...found.slice(0, SHOWN_MAX),
      ...(found.length > SHOWN_MAX ? [`... and ${found.length - SHOWN_MAX} more`] : []),
      "",
    ].join("\n"),
  );
}
