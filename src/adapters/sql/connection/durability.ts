import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "./database.ts";
import { rows, write } from "./statement.ts";

/**
 * Makes sure that what the database acknowledged survives its power cut: an acknowledged claim that is lost would be a wallet call without a
 * row. InnoDB's innodb_flush_log_at_trx_commit is set to 1 where it isn't.
 *
 * @returns a warning for the log where it can't be read or this user may not set it; undefined when all is well.
 * @throws StoreUnavailable when the database doesn't answer.
 */
export async function ensureDurable(database: Database): Promise<string | undefined> {
  // SQLite's connections open with synchronous = FULL.
  if (database.dialect === "sqlite") return undefined;
  let found: unknown = "unknown";
  try {
    const [row] = await rows(database, { sql: "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS value", bindings: [] });
    found = row?.value;
    if (Number(found) !== 1) await write(database, { sql: "SET GLOBAL innodb_flush_log_at_trx_commit = 1", bindings: [] });
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return `innodb_flush_log_at_trx_commit is ${found} and can't be set to 1 (${why}): a power cut at the database can lose acknowledged transactions`;
  }
}
