import { copyFile, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { obtainMysql } from "../../testbed/database/mysql-server.ts";
import { MARIADB, MYSQL } from "../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";

export type DatabaseKind = "mariadb" | "mysql" | "sqlite";

/** A database server with production settings (flush at every commit), or SQLite files on the same disk. */
export interface BenchDatabase {
  readonly kind: DatabaseKind;
  /** The processes of its servers. Empty: the database (SQLite) runs inside each program's own process. */
  readonly pids: readonly number[];
  /** Creates an empty database and returns its URL. */
  create(): Promise<string>;
  /** For a cluster: adds the other nodes, when the database has its merchants. */
  grow?(): Promise<void>;
  /** For a cluster: resolves when every node has applied all writes. */
  untilApplied?(): Promise<void>;
  stop(): Promise<void>;
}

/** Enough memory for the rows of a whole bench. A production server keeps its recent rows in memory, too. */
const SIZES = ["--innodb-buffer-pool-size=2G"];
const LOG_SIZE = "1G";

/**
 * @param options - options of a server that replace the usual ones.
 * @param log - whether each block of MariaDB's log file was written once before, as in a server that has run for a
 *   while. A flush to a block of a new file takes twice as long on ext4, because the file system's journal must note
 *   that the block has data now. MySQL makes new log files at each start, so servers are compared with new logs.
 */
export async function startDatabase(
  kind: DatabaseKind,
  folder: string,
  options: readonly string[] = [],
  log: "new" | "written" = "new",
): Promise<BenchDatabase> {
  if (kind === "sqlite") {
    let files = 0;
    return {
      kind,
      pids: [],
      create: async () => `sqlite:${join(folder, `bench-${++files}.db`)}`,
      stop: async () => {},
    };
  }
  if (kind === "mysql") obtainMysql();
  const product = kind === "mysql" ? MYSQL : MARIADB;
  const server = await startDatabaseServer([...SIZES, product.logSize(LOG_SIZE), ...options], undefined, product);
  if (log === "written") await writeLog(server);
  return { kind, pids: [server.pid], create: () => server.createDatabase(), stop: () => server.stop() };
}

async function writeLog(server: DatabaseServer): Promise<void> {
  await server.kill();
  const log = join(server.data, "ib_logfile0");
  const written = `${log}.written`;
  await copyFile(log, written);
  const copy = await open(written, "r+");
  await copy.sync();
  await copy.close();
  await rename(written, log);
  await server.restart();
}

const NUMBERED_WITHIN_MS = 60_000;

/** Resolves when the sequencer has numbered every change. The sequencer's work counts as a cost of the bets. */
export async function untilNumbered(databaseUrl: string, merchantIds: readonly number[]): Promise<void> {
  const database = openDatabase(databaseUrl, { max: 1, decisiveMax: 1 });
  try {
    const until = performance.now() + NUMBERED_WITHIN_MS;
    for (;;) {
      const left = await database
        .knex("tx")
        .whereIn("merchant_id", [...merchantIds])
        .whereNull("feed_seq")
        .first("id");
      if (left === undefined) return;
      if (performance.now() > until) throw new Error("the sequencer does not keep up");
      await sleep(50);
    }
  } finally {
    await database.close();
  }
}
