import type { Socket } from "node:net";
import type { Knex } from "knex";
import knex from "knex";
import {
  type Connections,
  POOL_SETTINGS,
  type PoolSizes,
  RECURRING_MAX,
  SELECTING_LIMIT_MS,
  SELECTING_MAX,
  SILENCE_MS,
} from "../../connection/connections.ts";
import { PREPARED_MAX } from "./prepared-texts.ts";

export const URL_FORM = "mysql://user:password@host:port/database";

const CONNECT_TIMEOUT_MS = 3_000;

/** The part of mysql2's connection that is used here. */
interface Connection {
  readonly stream: Socket;
  query(sql: string, done: (error: (Error & { errno?: number }) | null) => void): void;
}

interface SessionSetting {
  readonly sql: string;
  /** If present, a server that doesn't know the variable is used without it. */
  readonly optional?: true;
}

const SESSION: readonly SessionSetting[] = [
  { sql: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED" },
  // This sets all modes, so that no setting of the server (NO_BACKSLASH_ESCAPES) changes the meaning of the driver's
  // escaping.
  {
    sql: "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 2",
  },
];
/**
 * In a cluster, a read waits until this node has applied every write that any node has acknowledged. Galera has the
 * first variable, MySQL's group replication the second, and a single server neither.
 */
const SYNC_WAIT: readonly SessionSetting[] = [
  { sql: "SET SESSION wsrep_sync_wait = 1", optional: true },
  { sql: "SET SESSION group_replication_consistency = 'BEFORE'", optional: true },
];

/**
 * The time limit of a statement at the server. Without it, a statement would go on there after its client has stopped
 * waiting. MariaDB has the first variable, MySQL the second.
 */
export const statementLimit = (ms: number): readonly SessionSetting[] => [
  { sql: `SET SESSION max_statement_time = ${ms / 1_000}`, optional: true },
  { sql: `SET SESSION max_execution_time = ${ms}`, optional: true },
];

export const UNKNOWN_SYSTEM_VARIABLE = 1193;

export function openMysql(url: string, pools: PoolSizes): Connections {
  const connection = connectionOf(url);
  const sockets = new Set<Socket>();
  const open = (max: number, settings: readonly SessionSetting[]): Knex =>
    knex({
      ...POOL_SETTINGS,
      client: "mysql2",
      connection,
      pool: {
        min: 0,
        max,
        afterCreate: (raw: Connection, done: (error: Error | null) => void) => {
          sockets.add(raw.stream);
          raw.stream.once("close", () => sockets.delete(raw.stream));
          begin(raw, settings, done);
        },
      },
    });
  const {
    recurringMax = RECURRING_MAX,
    selectingMax = SELECTING_MAX,
    selectingLimitMs = SELECTING_LIMIT_MS,
    silenceMs = SILENCE_MS,
  } = pools;
  const writes = open(pools.max, SESSION);
  const recurring = open(recurringMax, SESSION);
  const decisive = open(pools.decisiveMax, [...SESSION, ...SYNC_WAIT]);
  const selecting = open(selectingMax, [...SESSION, ...SYNC_WAIT, ...statementLimit(selectingLimitMs)]);
  const cut = () => {
    for (const socket of sockets)
      socket.destroy(Object.assign(new Error("the connection was cut: the service stops"), { code: "ECONNRESET" }));
  };
  const close = async (withinMs?: number) => {
    const late = withinMs === undefined ? undefined : setTimeout(cut, withinMs);
    await Promise.all([writes, recurring, decisive, selecting].map((pool) => pool.destroy()));
    clearTimeout(late);
  };
  return {
    knex: writes,
    recurring,
    decisive,
    selecting,
    snapshots: writes,
    auditSnapshots: selecting,
    selectingLimitMs,
    silenceMs,
    close,
  };
}

function connectionOf(url: string): Knex.MySql2ConnectionConfig {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed === undefined ? "" : decodeURIComponent(parsed.pathname.slice(1));
  if (parsed === undefined || database === "" || database.includes("/"))
    throw new Error(`DATABASE_URL must be ${URL_FORM}`);
  const known = new Set(["socketPath", "ssl"]);
  for (const name of parsed.searchParams.keys())
    if (!known.has(name)) throw new Error(`DATABASE_URL has an unknown parameter: ${name}`);
  const socketPath = parsed.searchParams.get("socketPath");
  return {
    ...(socketPath === null
      ? { host: parsed.hostname, port: parsed.port === "" ? 3306 : Number(parsed.port) }
      : { socketPath }),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database,
    ...(parsed.searchParams.get("ssl") === "true" ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: "utf8mb4",
    connectTimeout: CONNECT_TIMEOUT_MS,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // PreparedTexts limits the number of statements of the whole pool. The driver's own limit per connection must not
    // be lower.
    maxPreparedStatements: PREPARED_MAX,
    // A VARBINARY column is text that is compared byte by byte, so it becomes a string. A BINARY column is bytes, and
    // stays a Buffer.
    typeCast: ((field: Field, next: () => unknown) =>
      field.type === "VAR_STRING" ? field.string("utf8") : next()) as never,
    // By default mysql2 sets the flag FOUND_ROWS. Then every compare-and-set that found its row would seem to have
    // succeeded, changed or not.
    flags: "-FOUND_ROWS",
  };
}

interface Field {
  readonly type: string;
  string(encoding: "utf8"): string | null;
}

/**
 * Prepares the session of a new connection within a time limit, because the connection counts in the pool until it is
 * ready or has failed.
 */
function begin(raw: Connection, settings: readonly SessionSetting[], done: (error: Error | null) => void): void {
  const { stream } = raw;
  stream.on("timeout", () =>
    stream.destroy(Object.assign(new Error("the database sent nothing within the time limit"), { code: "ETIMEDOUT" })),
  );
  stream.setTimeout(CONNECT_TIMEOUT_MS);
  prepareSession(raw, settings, (error) => {
    stream.setTimeout(0);
    done(error);
  });
}

function prepareSession(
  raw: Connection,
  settings: readonly SessionSetting[],
  done: (error: Error | null) => void,
): void {
  const [first, ...rest] = settings;
  if (first === undefined) return done(null);
  raw.query(first.sql, (error) => {
    if (error === null || (first.optional === true && error.errno === UNKNOWN_SYSTEM_VARIABLE))
      prepareSession(raw, rest, done);
    else done(error);
  });
}

/** See Dialect.inTransaction. The function `begin` above closes a connection that was silent for `silenceMs`. */
export async function inMysqlTransaction<T>(
  pool: Knex,
  run: (db: Knex.Transaction) => Promise<T>,
  config: Knex.TransactionConfig,
  silenceMs: number,
): Promise<T> {
  const connection: Connection = await pool.client.acquireConnection();
  connection.stream.setTimeout(silenceMs);
  try {
    return await pool.transaction(run, { ...config, connection });
  } finally {
    connection.stream.setTimeout(0);
    await pool.client.releaseConnection(connection);
  }
}
