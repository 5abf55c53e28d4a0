import type { Knex } from "knex";
import { type Cell, jsonLines } from "../dialects/sqlite/json-lines.ts";
import type { Dialect } from "./database.ts";

/** Rows of one statement. */
const ROWS_MAX = 500;

export interface ManyRows {
  readonly table: string;
  /** In the order of the rows' cells. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns whose value is the same in all rows: SQL expressions. */
  readonly same?: Readonly<Record<string, string>>;
  /** A unique key: the other columns of a row that is there already are replaced. */
  readonly key?: readonly string[];
}

/** Inserts many rows in a transaction. By its own text, for Knex takes longer to write an INSERT of so many rows than the database to run it. */
export async function insertRows(db: Knex, dialect: Dialect, { table, columns, rows, same = {}, key }: ManyRows): Promise<void> {
  const all = [...columns, ...Object.keys(same)];
  const replaced = key === undefined ? [] : all.filter((column) => !key.includes(column));
  const head = `INSERT INTO ${table} (${all.join(", ")})`;
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    const batch = rows.slice(from, from + ROWS_MAX);
    if (dialect === "sqlite") {
      const cells = [...columns.map((_, i) => `value ->> ${i}`), ...Object.values(same)];
      const conflict =
        key === undefined ? "" : `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}`;
      await db.raw(`${head} SELECT ${cells.join(", ")} FROM json_each(?) WHERE true ${conflict}`, [jsonLines(batch)]);
      // SQLite answers before anything else had its turn.
      await new Promise((resolve) => setImmediate(resolve));
    } else {
      const row = `(${[...columns.map(() => "?"), ...Object.values(same)].join(",")})`;
      const conflict = key === undefined ? "" : `ON DUPLICATE KEY UPDATE ${replaced.map((column) => `${column} = VALUES(${column})`).join(", ")}`;
      await db.raw(`${head} VALUES ${batch.map(() => row).join(",")} ${conflict}`, batch.flat() as never);
    }
  }
}
