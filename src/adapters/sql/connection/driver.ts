import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import type { Statement, StatementResult } from "./statement.ts";

/** A server that doesn't answer for this long is treated as a lost connection. */
const TIMEOUT_MS = 4_000;

/**
 * Runs a statement by the driver itself, on a connection of Knex's pool. Knex goes over the text of a raw statement
 * three times for its bindings, which is half of what a batch costs this process, and it has SQLite compile the text
 * anew each time.
 */
export async function byDriver(
  knex: Knex,
  dialect: Dialect,
  statement: Statement,
  timeoutMs = TIMEOUT_MS,
): Promise<StatementResult> {
  const connection: unknown = await knex.client.acquireConnection();
  try {
    return await dialect.run(connection, statement, timeoutMs, knex);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}
