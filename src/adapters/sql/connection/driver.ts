import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import { throwDriverError } from "./failure.ts";
import type { Statement, StatementResult } from "./statement.ts";

/** If a server doesn't answer for this long, its connection counts as lost. */
const TIMEOUT_MS = 4_000;

/**
 * Runs a statement by the driver itself, on a connection of Knex's pool. Knex reads the text of a raw statement three
 * times because of its bindings. This is half of what a batch costs this process. Knex also has SQLite compile the text
 * again each time.
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
  } catch (error) {
    throwDriverError(error);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}
