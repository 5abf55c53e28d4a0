import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import type { Cell } from "./statement.ts";

/** The maximum of rows in one statement. */
const ROWS_MAX = 500;

export interface NewRows {
  readonly table: string;
  /** The names of the columns, in the order of a row's cells. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns whose value is the same in all rows: SQL expressions. */
  readonly same?: Readonly<Record<string, string>>;
  /** A unique key. If a row with this key exists already, all its other columns are replaced. */
  readonly key?: readonly string[];
}

/**
 * Inserts many rows in a transaction. The text is written here and not by Knex, because Knex needs longer to write such
 * an INSERT than the database needs to run it.
 */
export async function insertRows(
  db: Knex,
  { sql, insertOf }: Dialect,
  { table, columns, rows, same = {}, key }: NewRows,
): Promise<void> {
  const all = [...columns, ...Object.keys(same)];
  const replaced = key === undefined ? [] : all.filter((column) => !key.includes(column));
  const assignments = replaced.map((column) => `${column} = ${sql.inserted(column)}`).join(", ");
  const onExisting = key === undefined ? "" : `${sql.updateExisting(key.join(", "))} ${assignments}`;
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    const cells = insertOf(rows.slice(from, from + ROWS_MAX), columns.length, Object.values(same));
    await db.raw(`INSERT INTO ${table} (${all.join(", ")}) ${cells.sql} ${onExisting}`, cells.bindings as never);
    // SQLite runs the statement on this thread. So other work of the process runs before the next statement.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
