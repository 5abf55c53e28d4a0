import type { Socket } from "node:net";
import type { Knex } from "knex";
import type { Statement } from "../../connection/statement.ts";
import { runOnMysql } from "./run.ts";
import { beginLimit, END_LIMIT } from "./session.ts";

const LEAVE_LIMIT_MS = 4_000;

/** The part of mysql2's connection that is used here. */
interface Connection {
  readonly stream: Socket;
  destroy(): void;
}

/** See Dialect.inTransaction. The connection's `timeout` event closes it (connections.ts). */
export async function inMysqlTransaction<T>(
  pool: Knex,
  run: (db: Knex.Transaction) => Promise<T>,
  config: Knex.TransactionConfig,
  silenceMs: number,
  openMaxS: number,
): Promise<T> {
  const connection: Connection = await pool.client.acquireConnection();
  // Knex also gives up a transaction whose ROLLBACK failed. Later writes on the connection would be part of it.
  let last = ["ROLLBACK", END_LIMIT];
  try {
    await runOnMysql(connection, statement(beginLimit(openMaxS)), silenceMs, pool);
    connection.stream.setTimeout(silenceMs);
    const result = await pool.transaction(run, { ...config, connection });
    last = [END_LIMIT];
    return result;
  } finally {
    connection.stream.setTimeout(0);
    await leave(pool, connection, last);
  }
}

/**
 * Returns a connection to its pool, after these statements. If one of them fails, or the server says that a transaction
 * is still open, the connection is closed.
 */
async function leave(pool: Knex, connection: Connection, last: readonly string[]): Promise<void> {
  try {
    for (const sql of last) await runOnMysql(connection, statement(sql), LEAVE_LIMIT_MS, pool);
  } catch {
    connection.destroy();
  }
  await pool.client.releaseConnection(connection);
}

const statement = (sql: string): Statement => ({ sql, bindings: [] });
