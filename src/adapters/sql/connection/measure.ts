import type { Knex } from "knex";
import type { Database } from "./database.ts";

/** @param kind - the verb of the statement and its first table, such as `insert tx`. */
export type OnStatement = (kind: string, seconds: number, failed: boolean) => void;

/**
 * The maximum of running Knex statements that are remembered. A statement may never report its end, such as an
 * interrupted stream, and is then forgotten.
 */
const RUNNING_MAX = 1_000;

/** Reports the duration of every statement, whether the driver or Knex runs it. */
export function measured(database: Database, onStatement: OnStatement): Database {
  for (const pool of new Set(Object.values(poolsOf(database)))) reportKnex(pool, onStatement);
  const { dialect } = database;
  const run: typeof dialect.run = async (connection, statement, timeoutMs, knex) => {
    const began = performance.now();
    let failed = true;
    try {
      const result = await dialect.run(connection, statement, timeoutMs, knex);
      failed = false;
      return result;
    } finally {
      onStatement(kindOf(statement.sql), (performance.now() - began) / 1_000, failed);
    }
  };
  return { ...database, dialect: { ...dialect, run } };
}

type PoolName = "writes" | "recurring" | "decisive" | "selecting";

/** The pools of a database. On SQLite some pools are the same connection. */
const poolsOf = ({ knex, recurring, decisive, selecting }: Database): Readonly<Record<PoolName, Knex>> => ({
  writes: knex,
  recurring,
  decisive,
  selecting,
});

export interface PoolState {
  readonly pool: PoolName;
  readonly used: number;
  readonly idle: number;
  /** The number of requests that wait for a connection. */
  readonly waiting: number;
}

export const poolStates = (database: Database): PoolState[] =>
  Object.entries(poolsOf(database)).map(([name, { client }]) => ({
    pool: name as PoolName,
    used: client.pool.numUsed(),
    idle: client.pool.numFree(),
    waiting: client.pool.numPendingAcquires(),
  }));

interface Query {
  readonly __knexQueryUid: string;
  readonly sql: string;
}

function reportKnex(pool: Knex, onStatement: OnStatement): void {
  const running = new Map<string, number>();
  const ended = ({ __knexQueryUid: id, sql }: Query, failed: boolean): void => {
    const began = running.get(id);
    running.delete(id);
    if (began !== undefined) onStatement(kindOf(sql), (performance.now() - began) / 1_000, failed);
  };
  pool.on("query", ({ __knexQueryUid: id }: Query) => {
    if (running.size >= RUNNING_MAX) running.clear();
    running.set(id, performance.now());
  });
  pool.on("query-response", (_: unknown, query: Query) => ended(query, false));
  pool.on("query-error", (_: unknown, query: Query) => ended(query, true));
}

const WRITING = /\b(insert|update|delete|replace)\s+(?:ignore\s+)?(?:into\s+|from\s+)?[`"]?(\w+)/i;
const READING = /\b(select)\b.*?\bfrom\s+[`"]?(\w+)/is;
const FIRST_WORD = /\w+/;

/** The kind of a statement, see {@link OnStatement}. There are few kinds, because statements contain no values. */
export function kindOf(text: string): string {
  // A time limit of MariaDB's stands in a comment before the statement.
  const sql = text.startsWith("/*") ? text.slice(text.indexOf("*/") + 2) : text;
  const first = FIRST_WORD.exec(sql)?.[0].toLowerCase() ?? "other";
  // A statement that begins with WITH may write. If it does not, it reads.
  const found =
    first === "select" ? READING.exec(sql) : (WRITING.exec(sql) ?? (first === "with" ? READING.exec(sql) : null));
  return found === null ? first : `${found[1]} ${found[2]}`.toLowerCase();
}
