import { Turns } from "../wallet/turns.ts";
import { hasCode, type Row, type SqlDatabase, type Value } from "./database.ts";

/** A database of better-sqlite3 (`new Database(file)`) or of node:sqlite (`new DatabaseSync(file)`). */
export interface SqliteHandle {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: Value[]): unknown[]; run(...values: Value[]): unknown };
}

const BUSY = 5;
const CONSTRAINT = 19;
/** An extended code has the kind in its lowest byte: SQLITE_CONSTRAINT_PRIMARYKEY is 1555. */
const kindOf = (cause: unknown): number => Number((cause as { errcode?: number } | null)?.errcode ?? 0) & 0xff;

/**
 * A SQLite file. Its transactions run one after the other. Other processes may use the file, too: a transaction waits
 * up to five seconds for the other process's lock.
 */
export function sqlite(handle: SqliteHandle): SqlDatabase {
  const turns = new Turns();
  // With WAL and FULL, committed data survive a crash of the machine.
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"])
    handle.exec(`PRAGMA ${pragma}`);
  const query = async (sql: string, values: readonly Value[] = []): Promise<readonly Row[]> => {
    const statement = handle.prepare(sql);
    if (/^\s*SELECT\b/i.test(sql)) return statement.all(...values) as Row[];
    statement.run(...values);
    return [];
  };
  return {
    dialect: "sqlite",
    isConflict: (cause) =>
      [BUSY, CONSTRAINT].includes(kindOf(cause)) ||
      hasCode(cause, ["SQLITE_BUSY", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"]),
    transaction: (work) =>
      turns.take(async () => {
        handle.exec("BEGIN IMMEDIATE");
        try {
          const result = await work(query);
          handle.exec("COMMIT");
          return result;
        } catch (cause) {
          try {
            handle.exec("ROLLBACK");
          } catch {
            // SQLite ended the transaction itself. The first error has the reason.
          }
          throw cause;
        }
      }),
  };
}
