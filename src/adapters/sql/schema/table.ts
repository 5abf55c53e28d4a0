import type { Knex } from "knex";
import type { Dialect } from "../connection/database.ts";

/** A table in words that both dialects understand. Creating it again is harmless, so a migration that died half-way can go on. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns of the primary key, unless a column is `id()`. */
  readonly primary?: readonly string[];
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

/** The SQL of a column's type and bounds. */
export type Column = (dialect: Dialect, name: string) => string;

/** A row number given by the database. */
export const id = (): Column => (dialect) =>
  dialect === "mysql" ? "BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY" : "INTEGER PRIMARY KEY AUTOINCREMENT";
/** A small code: an enumeration, a flag. */
export const tiny = (): Column => (dialect) => (dialect === "mysql" ? "TINYINT UNSIGNED NOT NULL" : "INTEGER NOT NULL");
/** Row numbers of settings, counters. */
export const int = (): Column => (dialect) => (dialect === "mysql" ? "INT UNSIGNED NOT NULL" : "INTEGER NOT NULL");
/** Minor units, milliseconds since 1970, sequence numbers. */
export const big = (): Column => (dialect) => (dialect === "mysql" ? "BIGINT NOT NULL" : "INTEGER NOT NULL");
/** Text of at most `max` bytes of UTF-8, compared byte by byte: a collation would merge `Tx1`, `tx1` and `tx1 `. */
export const key =
  (max: number): Column =>
  (dialect, name) =>
    dialect === "mysql" ? `VARBINARY(${max}) NOT NULL` : `TEXT NOT NULL CHECK (octet_length(${name}) <= ${max})`;
/** Exactly `size` bytes. */
export const bytes =
  (size: number): Column =>
  (dialect, name) =>
    dialect === "mysql" ? `BINARY(${size}) NOT NULL` : `BLOB NOT NULL CHECK (length(${name}) = ${size})`;
/** Text of at most `max` characters that is never looked up. */
export const text =
  (max: number): Column =>
  (dialect, name) =>
    dialect === "mysql" ? `VARCHAR(${max}) NOT NULL` : `TEXT NOT NULL CHECK (length(${name}) <= ${max})`;
/** Text of up to 16 MiB: JSON, logs. TEXT's 64 KiB overflowed after the money had moved. */
export const longText = (): Column => (dialect) => (dialect === "mysql" ? "MEDIUMTEXT NOT NULL" : "TEXT NOT NULL");
/** The same column, but it may be NULL. */
export const nullable =
  (column: Column): Column =>
  (dialect, name) =>
    column(dialect, name).replace(" NOT NULL", " NULL");

export async function createTable(db: Knex, dialect: Dialect, table: Table): Promise<void> {
  const list = (columns: readonly string[]): string => `(${columns.join(", ")})`;
  const lines = Object.entries(table.columns).map(([name, column]) => `${name} ${column(dialect, name)}`);
  if (table.primary !== undefined) lines.push(`PRIMARY KEY ${list(table.primary)}`);
  const unique = Object.entries(table.unique ?? {});
  const indexes = Object.entries(table.indexes ?? {});
  if (dialect === "mysql") {
    for (const [name, columns] of unique) lines.push(`UNIQUE KEY ${table.name}_${name} ${list(columns)}`);
    for (const [name, columns] of indexes) lines.push(`KEY ${table.name}_${name} ${list(columns)}`);
    await db.raw(`CREATE TABLE IF NOT EXISTS ${table.name} (\n  ${lines.join(",\n  ")}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
    return;
  }
  await db.raw(`CREATE TABLE IF NOT EXISTS ${table.name} (\n  ${lines.join(",\n  ")}\n) STRICT`);
  for (const [name, columns] of unique) await db.raw(`CREATE UNIQUE INDEX IF NOT EXISTS ${table.name}_${name} ON ${table.name} ${list(columns)}`);
  for (const [name, columns] of indexes) await db.raw(`CREATE INDEX IF NOT EXISTS ${table.name}_${name} ON ${table.name} ${list(columns)}`);
}

/** Adds a column that isn't there yet. */
export async function addColumn(db: Knex, dialect: Dialect, table: string, name: string, column: Column): Promise<void> {
  if (await db.schema.hasColumn(table, name)) return;
  await db.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${column(dialect, name)}`);
}

/** Adds an index that isn't there yet. */
export async function addIndex(db: Knex, dialect: Dialect, table: string, name: string, columns: readonly string[]): Promise<void> {
  const index = `${table}_${name}`;
  if (dialect === "mysql") {
    const [there] = await db.raw("SHOW INDEX FROM ?? WHERE Key_name = ?", [table, index]);
    if (there.length > 0) return;
  }
  await db.raw(`CREATE INDEX ${dialect === "sqlite" ? "IF NOT EXISTS " : ""}${index} ON ${table} (${columns.join(", ")})`);
}
