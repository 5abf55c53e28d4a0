import type { Knex } from "knex";

/** The description of a table, without SQL that only one database knows. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns of the primary key, unless a column is `id()`. */
  readonly primary?: readonly string[];
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

/** Writes a column's type and bounds as SQL. */
export type Column = (types: ColumnTypes, name: string) => string;

/** The column types of one database: SQL that ends with NOT NULL and the bounds. */
interface ColumnTypes {
  readonly id: string;
  readonly tiny: string;
  readonly int: string;
  readonly big: string;
  readonly longText: string;
  key(name: string, max: number): string;
  bytes(name: string, size: number): string;
  text(name: string, max: number): string;
}

/** The parts of the schema's SQL that differ between databases. */
export interface SchemaSql {
  readonly types: ColumnTypes;
  /**
   * Statements that create a table with its keys and indexes unless it exists. `lines`: its columns and primary key as
   * SQL.
   */
  createTable(table: Table, lines: readonly string[]): readonly string[];
  /** Adds an index unless it exists. */
  addIndex(db: Knex, table: string, index: string, columns: string): Promise<void>;
}

/** The part of a dialect that the schema needs. */
interface HasSchema {
  readonly schema: SchemaSql;
}

/** A row number that the database gives. */
export const id = (): Column => (types) => types.id;
/** A small number: an enumeration, a flag. */
export const tiny = (): Column => (types) => types.tiny;
/** A row number of settings, or a counter. */
export const int = (): Column => (types) => types.int;
/** Minor units, milliseconds since 1970, or a sequence number. */
export const big = (): Column => (types) => types.big;
/**
 * Text of at most `max` bytes of UTF-8, compared byte by byte. A collation would treat `Tx1`, `tx1` and `tx1 ` as
 * equal.
 */
export const key =
  (max: number): Column =>
  (types, name) =>
    types.key(name, max);
/** Exactly `size` bytes. */
export const bytes =
  (size: number): Column =>
  (types, name) =>
    types.bytes(name, size);
/** Text of at most `max` characters, by which no row is searched. */
export const text =
  (max: number): Column =>
  (types, name) =>
    types.text(name, max);
/** Text of up to 16 MiB: JSON, logs. With MySQL's TEXT of 64 KiB a log could overflow after the money had moved. */
export const longText = (): Column => (types) => types.longText;
/** The same column, but NULL is allowed. */
export const nullable =
  (column: Column): Column =>
  (types, name) =>
    column(types, name).replace(" NOT NULL", " NULL");

/** Creates a table unless it exists. So a migration that died half-way can run again. */
export async function createTable(db: Knex, { schema }: HasSchema, table: Table): Promise<void> {
  const lines = Object.entries(table.columns).map(([name, column]) => `${name} ${column(schema.types, name)}`);
  if (table.primary !== undefined) lines.push(`PRIMARY KEY (${table.primary.join(", ")})`);
  for (const sql of schema.createTable(table, lines)) await db.raw(sql);
}

/** Adds a column unless it exists. */
export async function addColumn(
  db: Knex,
  { schema }: HasSchema,
  table: string,
  name: string,
  column: Column,
): Promise<void> {
  if (await db.schema.hasColumn(table, name)) return;
  await db.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${column(schema.types, name)}`);
}

/** Adds an index unless it exists. */
export const addIndex = (
  db: Knex,
  { schema }: HasSchema,
  table: string,
  name: string,
  columns: readonly string[],
): Promise<void> => schema.addIndex(db, table, `${table}_${name}`, columns.join(", "));
