/** Statements over a connector's tables. Every row has the name of its API, so several connectors may share a database. */
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { decisiveRows, deleteRows, write } from "../../../src/adapters/sql/connection/execute.ts";
import type { Cell, Row } from "../../../src/adapters/sql/connection/statement.ts";
import { createTable, type Table } from "../../../src/adapters/sql/schema/table.ts";

const PURGE_ROWS = 500;

export class Tables {
  readonly #database: Database;
  readonly #api: string;

  private constructor(database: Database, api: string) {
    this.#database = database;
    this.#api = api;
  }

  /** Opens the database and creates the tables that are missing. */
  static async open(url: string, api: string, tables: readonly Table[]): Promise<Tables> {
    const database = openDatabase(url, { max: 8, decisiveMax: 8 });
    for (const table of tables) await createTable(database.knex, database.dialect, table);
    return new Tables(database, api);
  }

  close(): Promise<void> {
    return this.#database.close(2_000);
  }

  /** The database's time as SQL: milliseconds since 1970. */
  get now(): string {
    return this.#database.dialect.sql.nowMs;
  }

  /** The value that the row of an INSERT has in this column, as SQL for the case that the row exists. */
  inserted(column: string): string {
    return this.#database.dialect.sql.inserted(column);
  }

  /** @param condition - SQL; the rows are those of this API. */
  select(columns: string, table: Table, condition: string, bindings: readonly Cell[]): Promise<readonly Row[]> {
    const sql = `SELECT ${columns} FROM ${table.name} WHERE api = ? AND ${condition}`;
    return decisiveRows(this.#database, { sql, bindings: [this.#api, ...bindings], recurs: true });
  }

  /** Returns the number of rows that have changed. */
  async update(table: Table, changes: string, condition: string, bindings: readonly Cell[]): Promise<number> {
    const sql = `UPDATE ${table.name} SET ${changes} WHERE ${condition} AND api = ?`;
    return (await write(this.#database, { sql, bindings: [...bindings, this.#api], recurs: true })).affected;
  }

  /**
   * Inserts a row, unless its key exists.
   *
   * @param times - columns with a time: so many milliseconds from now.
   * @param changes - what happens to a row that exists, as SQL by column; nothing without it.
   */
  async insert(
    { name, primary = [] }: Table,
    row: Readonly<Record<string, Cell>>,
    times: Readonly<Record<string, number>>,
    changes?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { nowMs, keepExisting, updateExisting } = this.#database.dialect.sql;
    const given = { api: this.#api, ...row };
    const values = [...Object.keys(given).map(() => "?"), ...Object.keys(times).map(() => `${nowMs} + ?`)];
    const ifExists =
      changes === undefined
        ? keepExisting(`${name}.${primary.at(-1)}`)
        : `${updateExisting(primary.join(", "))} ${Object.entries(changes)
            .map(([column, value]) => `${column} = ${value}`)
            .join(", ")}`;
    const sql = `INSERT INTO ${name} (${[...Object.keys(given), ...Object.keys(times)].join(", ")}) VALUES (${values.join(", ")}) ${ifExists}`;
    await write(this.#database, { sql, bindings: [...Object.values(given), ...Object.values(times)], recurs: true });
  }

  /** Deletes some of the rows that are older than this. */
  async purge(table: Table, olderThanMs: number): Promise<void> {
    await deleteRows(this.#database, table.name, (now) => `created_at < ${now} - ${olderThanMs}`, PURGE_ROWS);
  }
}
