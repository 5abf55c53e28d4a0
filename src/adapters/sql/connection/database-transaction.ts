import type { Knex } from "knex";
import type { Database, MysqlConnection } from "./database.ts";

/**
 * A transaction. Its BEGIN, statements and COMMIT know no time limit of their own, so a server that says nothing for longer than one of
 * them may take has its connection closed: whoever waits is told that it was lost, not left to wait for ever.
 */
export async function inTransaction<T>(
  { knex, dialect, silenceMs }: Database,
  run: (trx: Knex.Transaction) => Promise<T>,
  config: Knex.TransactionConfig = {},
  longestMs = silenceMs,
): Promise<T> {
  if (dialect === "sqlite") return knex.transaction(run, config);
  const connection: MysqlConnection = await knex.client.acquireConnection();
  connection.stream.setTimeout(longestMs);
  try {
    return await knex.transaction(run, { ...config, connection });
  } finally {
    connection.stream.setTimeout(0);
    await knex.client.releaseConnection(connection);
  }
}
