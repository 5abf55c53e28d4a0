import type { Socket } from "node:net";
import type { Knex } from "knex";
import { causeOf } from "../../connection/failure.ts";
import type { Statement, Step } from "../../connection/statement.ts";
import { NOT_COMMITTED_CODE } from "./failures.ts";
import { runOnMysql } from "./run.ts";
import { BEGIN_LIMIT, type Done, END_LIMIT, isCommitted } from "./session.ts";

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
): Promise<T> {
  const connection: Connection = await pool.client.acquireConnection();
  // Knex also gives up a transaction whose ROLLBACK failed. Later writes on the connection would be part of it.
  let last = ["ROLLBACK", END_LIMIT];
  try {
    await runOnMysql(connection, statement(BEGIN_LIMIT), silenceMs, pool);
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
 * See Dialect.atOnce. All statements are in one message, so the server needs no further message to end the transaction.
 * After an error the server runs no further statement of the message. Then this process rolls the transaction back, and
 * if this process is gone, the server does it after the time limit.
 */
export async function atOnceOnMysql(pool: Knex, steps: readonly Step[], timeoutMs: number): Promise<boolean> {
  const statements = steps.flatMap(checked);
  const sql = [BEGIN_LIMIT, "BEGIN", ...statements.map((one) => one.sql), "COMMIT", END_LIMIT].join("; ");
  const bindings = statements.flatMap((one) => one.bindings);
  const connection: Connection = await pool.client.acquireConnection();
  let last = ["ROLLBACK", END_LIMIT];
  try {
    const { rows: replies } = await runOnMysql(connection, { sql, bindings }, timeoutMs, pool);
    if (!isCommitted((replies.at(-1) ?? { affectedRows: 0 }) as unknown as Done)) {
      connection.destroy();
      throw Object.assign(new Error("the database did not commit the transaction"), { code: NOT_COMMITTED_CODE });
    }
    last = [];
    return true;
  } catch (error) {
    if (causeOf(error).errno === SEVERAL_ROWS) return false;
    throw error;
  } finally {
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

/** The error code of a subquery that should return one row and returns several. */
const SEVERAL_ROWS = 1242;

/**
 * The statements of a step, and the check of its number of changes. The check must be a statement that fails, because
 * outside a stored program MySQL has no IF that could begin a ROLLBACK. SET fails for a subquery that returns several
 * rows. On MariaDB, DO would only warn.
 */
function checked({ statements, changes }: Step): Statement[] {
  if (changes === undefined) return [...statements];
  const counted = statements.flatMap((one, i) => [
    one,
    statement(`SET @changed = ROW_COUNT()${i === 0 ? "" : " + @changed"}`),
  ]);
  return [...counted, statement(`SET @checked = IF(@changed = ${changes}, 1, (SELECT 1 UNION ALL SELECT 2))`)];
}

const statement = (sql: string): Statement => ({ sql, bindings: [] });
