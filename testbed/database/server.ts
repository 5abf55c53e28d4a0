/** A temporary MariaDB or MySQL on a socket in a temporary folder: one server per test file, one database per test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Front } from "../vitess/combo.ts";
import { asRoot } from "./mysql-server.ts";
import { LOG_SIZE, PRODUCT } from "./products.ts";
import { RootConnection } from "./root-connection.ts";

const READY_TIMEOUT_MS = 90_000;
const CREATED_WITHIN_MS = 60_000;
/** Part of every Linux distribution (util-linux). */
const SETPRIV = "/usr/bin/setpriv";

export interface DatabaseServer {
  /** Creates an empty database, unless one with this name exists. Returns its DATABASE_URL. */
  createDatabase(name?: string): Promise<string>;
  /** The DATABASE_URL of a database that exists, or will exist. */
  url(database: string): string;
  /** The same at the server itself, without what clients use instead of it. */
  direct(database: string): string;
  readonly pid: number;
  /** The folder of its files. A test may copy or replace the files while the server is stopped. */
  readonly data: string;
  /** `kill -9`. The files stay unchanged. */
  kill(): Promise<void>;
  /**
   * Starts the killed server on its files again.
   *
   * @param other - options that replace the first ones.
   */
  restart(other?: readonly string[]): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * @param kept - a folder whose databases are kept: it is created if it is missing, and the server shuts down normally.
 */
export async function startDatabaseServer(
  extra: readonly string[] = [],
  kept?: string,
  product = PRODUCT,
): Promise<DatabaseServer> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "database-"));
  mkdirSync(folder, { recursive: true });
  const remove = (): void => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const ending = kept === undefined ? "SIGKILL" : "SIGTERM";
  const data = join(folder, "data");
  const socket = join(folder, "s");
  // A server clears its temporary folder at start, so servers must not share one.
  const env = { ...process.env, TMPDIR: folder };
  try {
    if (!existsSync(join(data, "mysql"))) product.createFiles(data, env);
    let front: Front | undefined;
    const at = (path: string, database: string): string =>
      `mysql://root@localhost/${database}?socketPath=${encodeURIComponent(path)}`;
    const url = (database: string): string => at(front?.socket ?? socket, database);
    const launch = async (more: readonly string[]): Promise<ChildProcess> => {
      const files = [`--datadir=${data}`, `--socket=${socket}`, product.logSize(LOG_SIZE)];
      const options = [...product.options, ...files, ...SETTINGS, ...(product.more ?? []), ...asRoot(), ...more];
      // setpriv ends the server with its parent, because a test process that is killed can run no handler.
      const [program, before] = existsSync(SETPRIV)
        ? [SETPRIV, ["--pdeathsig", ending.slice("SIG".length), product.program]]
        : [product.program, []];
      const started = spawn(program, [...before, ...options], { stdio: ["ignore", "ignore", "pipe"], env });
      let log = "";
      started.stderr?.on("data", (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-4_000);
      });
      await ready(started, socket, () => log).catch((cause) => {
        started.kill("SIGKILL");
        throw cause;
      });
      return started;
    };
    let server = await launch(extra);
    const end = async (how: NodeJS.Signals): Promise<void> => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill(how);
      await once(server, "exit");
    };
    // A test process that exits early ends the server.
    const endWithUs = (): void => {
      server.kill(ending);
      remove();
    };
    process.once("exit", endWithUs);
    front = await product.front?.(socket, folder);
    let databases = 0;
    return {
      createDatabase: async (name = `test_${++databases}`) => {
        const root = new RootConnection({ socketPath: front?.socket ?? socket });
        await root.ask(`CREATE DATABASE IF NOT EXISTS ${name} CHARACTER SET utf8mb4`, CREATED_WITHIN_MS);
        root.close();
        return url(name);
      },
      url,
      direct: (database) => at(socket, front?.stored(database) ?? database),
      get pid() {
        return server.pid ?? 0;
      },
      data,
      kill: () => end("SIGKILL"),
      restart: async (other = extra) => {
        server = await launch(other);
      },
      stop: async () => {
        process.off("exit", endWithUs);
        front?.stop();
        // A temporary server needs no normal shutdown.
        await end(ending);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Durable as in production, with small sizes for tests. */
const SETTINGS = [
  "--innodb-flush-log-at-trx-commit=1",
  "--innodb-buffer-pool-size=64M",
  "--skip-networking",
  "--skip-name-resolve",
  "--performance-schema=OFF",
  "--max-connections=200",
  "--character-set-server=utf8mb4",
];

async function ready(server: ChildProcess, socket: string, log: () => string): Promise<void> {
  const until = performance.now() + READY_TIMEOUT_MS;
  while (!(await greets(socket))) {
    if (server.exitCode !== null || performance.now() > until)
      throw new Error(`the database server did not start (exit code ${server.exitCode}):\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A MySQL server that accepts a connection sends the first bytes. */
function greets(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => (): void => {
      connection.destroy();
      resolve(answer);
    };
    const connection = connect(socket).once("data", end(true)).once("error", end(false)).once("end", end(false));
  });
}
