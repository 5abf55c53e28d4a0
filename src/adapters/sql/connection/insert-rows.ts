import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import { chunks } from "./chunks.ts";
import type { Database } from "./database.ts";
import { write } from "./execute.ts";
import type { Cell, Statement } from "./statement.ts";

/** The maximum of rows in one statement of a transaction. */
const ROWS_MAX = 500;
/** The maximum of rows in one statement of its own, which other replicas wait for. */
const STORED_MAX = 200;

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

/** An INSERT of these rows. The text is written here and not by Knex, because Knex needs longer to write it. */
function insertion({ sql, insertOf }: Dialect, { table, columns, rows, same = {}, key }: NewRows): Statement {
  const all = [...columns, ...Object.keys(same)];
  const replaced = key === undefined ? [] : all.filter((column) => !key.includes(column));
  const assignments = replaced.map((column) => `${column} = ${sql.inserted(column)}`).join(", ");
  const onExisting = key === undefined ? "" : `${sql.updateExisting(key.join(", "))} ${assignments}`;
  const cells = insertOf(rows, columns.length, Object.values(same));
  return { sql: `INSERT INTO ${table} (${all.join(", ")}) ${cells.sql} ${onExisting}`, bindings: cells.bindings };
}

/** Inserts many rows in a transaction. */
export async function insertRows(db: Knex, dialect: Dialect, { rows, ...others }: NewRows): Promise<void> {
  for (const some of chunks(rows, ROWS_MAX)) {
    const { sql, bindings } = insertion(dialect, { ...others, rows: some });
    await db.raw(sql, bindings as never);
    // SQLite runs the statement on this thread. So other work of the process runs before the next statement.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Stores many rows, each statement for itself. A repeat stores the same rows again, so they need a key. */
export async function storeRows(
  database: Database,
  { rows, ...others }: NewRows & { readonly key: readonly string[] },
): Promise<void> {
  for (const some of chunks(rows, STORED_MAX))
    await write(database, insertion(database.dialect, { ...others, rows: some }));
}
