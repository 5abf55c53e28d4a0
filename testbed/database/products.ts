/** All that differs between MariaDB, MySQL and Vitess in tests and benchmarks. The service runs the same code on both. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Front, startCombo } from "../vitess/combo.ts";
import { asRoot, MYSQL_FILES, MYSQLD } from "./mysql-server.ts";

export interface Product {
  readonly name: "MariaDB" | "MySQL" | "Vitess";
  /** The server's program. */
  readonly program: string;
  /**
   * Creates the files of an empty server in a folder that does not exist yet. `env`: the environment of the programs
   * that do this.
   */
  createFiles(data: string, env: NodeJS.ProcessEnv): void;
  /** The first options of the server's program, before the options that both servers have. */
  readonly options: readonly string[];
  /** Options that replace those of {@link startDatabaseServer}. */
  readonly more?: readonly string[];
  /** The option for the size of the log of changes, for example `1G`. */
  logSize(size: string): string;
  /** The variable with the isolation level. */
  readonly isolation: string;
  readonly statementLimit: {
    /** The variable that sets the limit. */
    readonly variable: string;
    /** The status variable that counts the statements that the server ended because of the limit. */
    readonly counter: string;
    /** A statement that sleeps, and that the server ends with an error at the limit. */
    readonly asleep: string;
  };
  /** Starts what clients use instead of the server that listens on `socket`. `folder`: for its files. */
  readonly front?: (socket: string, folder: string) => Promise<Front>;
  /** Whether the server can run as a Galera cluster, and so knows the variable `wsrep_sync_wait`. */
  readonly galera: boolean;
}

export const MARIADB: Product = {
  name: "MariaDB",
  program: "mariadbd",
  createFiles(data, env) {
    cpSync(mariaDbFiles(env), data, { recursive: true });
  },
  options: ["--no-defaults"],
  logSize: (size) => `--innodb-log-file-size=${size}`,
  isolation: "tx_isolation",
  statementLimit: {
    variable: "max_statement_time",
    counter: "Max_statement_time_exceeded",
    asleep: "SELECT SLEEP(?)",
  },
  galera: true,
};

/** The size of the log of changes of a test's server. Files with another size would be written anew at its start. */
export const LOG_SIZE = "32M";

/**
 * The files of an empty MariaDB. Its program needs some hundred milliseconds to make them, so it makes them once for
 * each version and user, and each server gets a copy.
 */
function mariaDbFiles(env: NodeJS.ProcessEnv): string {
  const version = execFileSync(MARIADB.program, ["--no-defaults", "--version"], { encoding: "utf8" });
  const name = `${version.replace(/.*Ver /, "").split(" ")[0]}-${process.getuid?.() ?? 0}`;
  const files = resolve(import.meta.dirname, "../../.cache/mariadb", name);
  if (existsSync(files)) return files;
  mkdirSync(join(files, ".."), { recursive: true });
  // Several processes may make the files at once. The first one that is ready gives them their name.
  const made = mkdtempSync(`${files}-`);
  const options = [
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    "--skip-name-resolve",
    MARIADB.logSize(LOG_SIZE),
  ];
  execFileSync("mariadb-install-db", ["--no-defaults", `--datadir=${made}`, ...options, ...asRoot()], {
    stdio: ["ignore", "ignore", "pipe"],
    env,
  });
  try {
    renameSync(made, files);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(files)) throw error;
  }
  return files;
}

/** `obtainMysql` must have been called before, by this process or another one. */
export const MYSQL: Product = {
  name: "MySQL",
  program: MYSQLD,
  createFiles: (data) => cpSync(MYSQL_FILES, data, { recursive: true }),
  // By default MySQL writes a binary log, MariaDB does not.
  options: ["--mysqlx=OFF", "--disable-log-bin", "--explain-format=TRADITIONAL", "--secure-file-priv="],
  logSize: (size) => `--innodb-redo-log-capacity=${size}`,
  isolation: "transaction_isolation",
  statementLimit: {
    variable: "max_execution_time",
    counter: "Max_execution_time_exceeded",
    // If the limit ends a SLEEP alone, MySQL reports no error, and SLEEP returns 1.
    asleep: "SELECT a FROM (SELECT 1 AS a UNION ALL SELECT 2) t WHERE SLEEP(?)",
  },
  galera: false,
};

/** `obtainVitess` must have been called before, too. */
const VITESS: Product = {
  ...MYSQL,
  name: "Vitess",
  front: startCombo,
  // Each keyspace has pools of connections.
  more: ["--max-connections=4000"],
};

/** The product that tests use. `npm run test:mysql` and `npm run test:vitess` set TEST_DATABASE. */
export const PRODUCT = productOf(process.env.TEST_DATABASE);

function productOf(wanted: string | undefined): Product {
  if (wanted === "vitess") return VITESS;
  return wanted === "mysql" ? MYSQL : MARIADB;
}
