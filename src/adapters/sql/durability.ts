import type { Database } from "./database.ts";

/**
 * Makes sure that what the database acknowledged survives its power cut: an acknowledged claim that is lost would be a wallet call without a
 * row. InnoDB's innodb_flush_log_at_trx_commit is set to 1 where it isn't.
 *
 * @returns a warning for the log where it can't be read or this user may not set it; undefined when all is well.
 */
export async function ensureDurable(database: Database): Promise<string | undefined> {
  // SQLite's connections open with synchronous = FULL.
  if (database.dialect === "sqlite") return undefined;
  let found: unknown = "unknown";
  try {
    const [[row]] = await database.knex.raw("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS value");
    found = row.value;
    if (Number(found) !== 1) await database.knex.raw("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `innodb_flush_log_at_trx_commit is ${found} and can't be set to 1 (${why}): a power cut at the database can lose acknowledged transactions`;
  }
}
