import type { Database } from "./database.ts";

/**
 * Makes sure that what the database acknowledged survives its power cut: an acknowledged claim that is lost would be a wallet call without a
 * row. MySQL's innodb_flush_log_at_trx_commit is set to 1 where it isn't.
 *
 * @returns a warning for the log where this user may not set it; undefined when all is well.
 */
export async function ensureDurable(database: Database): Promise<string | undefined> {
  // SQLite's connections open with synchronous = FULL.
  if (database.dialect === "sqlite") return undefined;
  const read = async (): Promise<number> => {
    const [[row]] = await database.knex.raw("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS value");
    return Number(row.value);
  };
  const found = await read();
  if (found === 1) return undefined;
  try {
    await database.knex.raw("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    return undefined;
  } catch (error) {
    const why = error instanceof Error && "sqlMessage" in error ? String(error.sqlMessage) : String(error);
    return `The database runs with innodb_flush_log_at_trx_commit = ${found} and this user may not set it to 1 (${why}): a power cut there can lose acknowledged transactions.`;
  }
}
