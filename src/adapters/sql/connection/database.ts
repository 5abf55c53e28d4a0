import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Knex } from "knex";
import knex from "knex";
import { PREPARED_MAX } from "../dialects/mysql/prepared-texts.ts";

export type Dialect = "mysql" | "sqlite";

/**
 * The database behind a URL. Connections are made when they are first needed.
 * 64-bit integers never come back as JavaScript numbers: MySQL gives them as decimal strings, SQLite every integer as a bigint.
 * Key columns come back as strings, fixed-size bytes as Buffers.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Writes, and reads for which a moment's staleness on a cluster is harmless. */
  readonly knex: Knex;
  /** Reads that decide: on a cluster they see every write that was acknowledged on any node. */
  readonly decisive: Knex;
  /** Reads of many rows, which may take long: they wait for each other, and never take the connections that bets wait for. */
  readonly selecting: Knex;
  /** Reads of many rows in one snapshot, for up to a minute. Of a SQLite file on a connection of their own, beside which bets go on. */
  readonly snapshots: Knex;
  /** The server itself ends such a read after so long; SQLite never does. */
  readonly selectingLimitMs: number;
  /** A transaction's connection on which nothing comes for so long is closed; SQLite's never is. */
  readonly silenceMs: number;
  /**
   * Closes every connection. Statements that still run end first; after `withinMs` (no limit when it isn't said) their connections are cut,
   * which fails them. SQLite's statements never run beside anything else, so there is nothing to cut.
   */
  close(withinMs?: number): Promise<void>;
}

export interface PoolSizes {
  readonly max: number;
  readonly decisiveMax: number;
  /** 4 when it isn't said. */
  readonly selectingMax?: number;
  /** 10 s when it isn't said. */
  readonly selectingLimitMs?: number;
  /** 15 s when it isn't said. */
  readonly silenceMs?: number;
}

const SELECTING_MAX = 4;
const SELECTING_LIMIT_MS = 10_000;
/** Longer than any statement of a transaction may take, and than what is worked out between two of them. */
const SILENCE_MS = 15_000;

/** Longest wait for a free connection. Nothing was sent when it passes. */
const ACQUIRE_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** An error's message quotes the statement without its values: they are nonces, players and sealed secrets, and errors are logged. */
const QUOTE_BINDINGS = false;

/** Knex prints some errors besides throwing them. */
const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/**
 * @param url - `mysql://user:password@host:port/database` (MySQL, MariaDB, Galera, TiDB; `?socketPath=/run/x.sock`, `?ssl=true` to
 *   verify the server against the system's authorities), `sqlite:<file>` or `sqlite::memory:`.
 * @throws Error naming what is wrong with the URL, never its password.
 */
export function openDatabase(url: string, pools: PoolSizes = { max: 16, decisiveMax: 4 }): Database {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length));
  if (/^mysql:\/\//.test(url)) return openMysql(mysqlConnection(url), pools);
  throw new Error("DATABASE_URL must be mysql://user:password@host:port/database or sqlite:<file>");
}

function openMysql(connection: Knex.MySql2ConnectionConfig, pools: PoolSizes): Database {
  const sockets = new Set<Socket>();
  const open = (max: number, settings: readonly SessionSetting[]): Knex =>
    knex({
      client: "mysql2",
      connection,
      log: SILENT,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      compileSqlOnError: QUOTE_BINDINGS,
      pool: {
        min: 0,
        max,
        afterCreate: (raw: MysqlConnection, done: (error: Error | null) => void) => {
          sockets.add(raw.stream);
          raw.stream.once("close", () => sockets.delete(raw.stream));
          begin(raw, settings, done);
        },
      },
    });
  const writes = open(pools.max, SESSION);
  const decisive = open(pools.decisiveMax, [...SESSION, SYNC_WAIT]);
  const { selectingMax = SELECTING_MAX, selectingLimitMs = SELECTING_LIMIT_MS, silenceMs = SILENCE_MS } = pools;
  const selecting = open(selectingMax, [...SESSION, SYNC_WAIT, ...limit(selectingLimitMs)]);
  const all = [writes, decisive, selecting];
  const cut = () => {
    for (const socket of sockets) socket.destroy(Object.assign(new Error("the connection was cut: the service stops"), { code: "ECONNRESET" }));
  };
  const close = async (withinMs?: number) => {
    const late = withinMs === undefined ? undefined : setTimeout(cut, withinMs);
    await Promise.all(all.map((one) => one.destroy()));
    clearTimeout(late);
  };
  return { dialect: "mysql", knex: writes, decisive, selecting, snapshots: writes, selectingLimitMs, silenceMs, close };
}

function mysqlConnection(url: string): Knex.MySql2ConnectionConfig {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed === undefined ? "" : decodeURIComponent(parsed.pathname.slice(1));
  if (parsed === undefined || database === "" || database.includes("/")) throw new Error("DATABASE_URL must be mysql://user:password@host:port/database");
  const known = new Set(["socketPath", "ssl"]);
  for (const name of parsed.searchParams.keys()) if (!known.has(name)) throw new Error(`DATABASE_URL has an unknown parameter: ${name}`);
  const socketPath = parsed.searchParams.get("socketPath");
  return {
    ...(socketPath === null ? { host: parsed.hostname, port: parsed.port === "" ? 3306 : Number(parsed.port) } : { socketPath }),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database,
    ...(parsed.searchParams.get("ssl") === "true" ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: "utf8mb4",
    connectTimeout: CONNECT_TIMEOUT_MS,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // The pool's own bound is the one that counts: of one connection it must not be less.
    maxPreparedStatements: PREPARED_MAX,
    // VARBINARY holds text compared byte by byte; BINARY holds bytes and stays a Buffer.
    typeCast: ((field: MysqlField, next: () => unknown) => (field.type === "VAR_STRING" ? field.string("utf8") : next())) as never,
    // mysql2 asks for FOUND_ROWS by default: every compare-and-set that found its row, changed or not, would look won.
    flags: "-FOUND_ROWS",
  };
}

interface MysqlField {
  readonly type: string;
  string(encoding: "utf8"): string | null;
}

/** The part of mysql2's connection that is used outside its pool. */
export interface MysqlConnection {
  readonly stream: Socket;
  query(sql: string, done: (error: (Error & { errno?: number }) | null) => void): void;
}

interface SessionSetting {
  readonly sql: string;
  /** A server that doesn't know the variable goes on without it. */
  readonly optional?: true;
}

const SESSION: readonly SessionSetting[] = [
  { sql: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED" },
  // The whole mode, so that no server's own setting (NO_BACKSLASH_ESCAPES) changes what the driver's escaping means.
  { sql: "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 2" },
];
/** Galera: wait until this node has applied what any node acknowledged. MySQL and TiDB don't know it and don't need it. */
const SYNC_WAIT: SessionSetting = { sql: "SET SESSION wsrep_sync_wait = 1", optional: true };
/** Who gives up a read doesn't end it at the server: the server does. MariaDB knows the one variable, MySQL and TiDB the other. */
const limit = (ms: number): readonly SessionSetting[] => [
  { sql: `SET SESSION max_statement_time = ${ms / 1_000}`, optional: true },
  { sql: `SET SESSION max_execution_time = ${ms}`, optional: true },
];

const UNKNOWN_SYSTEM_VARIABLE = 1193;

/** A new connection must not wait for ever either: it takes a place in the pool until it is there or has failed. */
function begin(raw: MysqlConnection, settings: readonly SessionSetting[], done: (error: Error | null) => void): void {
  const { stream } = raw;
  stream.on("timeout", () => stream.destroy(Object.assign(new Error("the database says nothing"), { code: "ETIMEDOUT" })));
  stream.setTimeout(CONNECT_TIMEOUT_MS);
  prepareSession(raw, settings, (error) => {
    stream.setTimeout(0);
    done(error);
  });
}

function prepareSession(raw: MysqlConnection, settings: readonly SessionSetting[], done: (error: Error | null) => void): void {
  const [first, ...rest] = settings;
  if (first === undefined) return done(null);
  raw.query(first.sql, (error) => {
    if (error === null || (first.optional === true && error.errno === UNKNOWN_SYSTEM_VARIABLE)) prepareSession(raw, rest, done);
    else done(error);
  });
}

function openSqlite(filename: string): Database {
  if (filename === "") throw new Error("DATABASE_URL must name a file: sqlite:<file>");
  if (filename !== ":memory:") keepToOwner(filename);
  const only = knex({
    client: "better-sqlite3",
    connection: { filename, options: { safeIntegers: true } },
    useNullAsDefault: true,
    log: SILENT,
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    compileSqlOnError: QUOTE_BINDINGS,
    pool: {
      // One connection: statements run one after the other anyway, and an in-memory database lives as long as its connection.
      min: 1,
      max: 1,
      afterCreate: (raw: SqliteConnection, done: (error: Error | null) => void) => {
        // FULL: this build opens a file in WAL mode as NORMAL, where an acknowledged claim could be lost with the power.
        for (const setting of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000", "foreign_keys = ON"]) raw.pragma(setting);
        done(null);
      },
    },
  });
  const snapshots = filename === ":memory:" ? only : openSnapshots(filename);
  return {
    dialect: "sqlite",
    knex: only,
    decisive: only,
    selecting: only,
    snapshots,
    selectingLimitMs: SELECTING_LIMIT_MS,
    silenceMs: SILENCE_MS,
    close: async () => {
      await snapshots.destroy();
      await only.destroy();
    },
  };
}

/** In WAL mode readers and the writer don't wait for each other. */
const openSnapshots = (filename: string): Knex =>
  knex({
    client: "better-sqlite3",
    connection: { filename, options: { safeIntegers: true, readonly: true } },
    useNullAsDefault: true,
    log: SILENT,
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    compileSqlOnError: QUOTE_BINDINGS,
    pool: { min: 0, max: SELECTING_MAX },
  });

const OWNER_ONLY = 0o600;

/**
 * The database is for its owner alone: players and amounts are in it. SQLite would make it readable for everybody (by the usual umask), and
 * gives its -wal and -shm the rights of the file itself. A file of an earlier release is narrowed, too.
 */
function keepToOwner(filename: string): void {
  try {
    closeSync(openSync(filename, "a", OWNER_ONLY));
    for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) if (existsSync(file)) chmodSync(file, OWNER_ONLY);
  } catch {
    // Another user's file, or none that can be made: SQLite says what is wrong when it opens it, if that is anything.
  }
}

/** The part of better-sqlite3's connection that is used outside knex. */
export interface SqliteConnection {
  pragma(setting: string): unknown;
}
