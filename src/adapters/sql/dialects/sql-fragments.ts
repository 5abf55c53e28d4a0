import type { Statement } from "../connection/statement.ts";

/** The indexes of the table `tx`; schema/migrations/001-tables.ts lists their columns. */
export type TxIndex = "key" | "ref" | "round" | "player" | "list" | "feed" | "due";

/** Parts of SQL statements that databases write differently. They never contain a value of a request. */
export interface SqlFragments {
  /** The database's time in ms since 1970, a whole number. All its uses in one statement have the same value. */
  readonly nowMs: string;
  /** The name of the function that returns the greatest of its arguments. */
  readonly greatest: string;
  /** Whether two values are equal, or both NULL. */
  isSame(one: string, other: string): string;
  /** A kind of join that reads its left side first. */
  readonly joinInOrder: string;
  /**
   * After `FROM tx`: makes the database read the table by this index, whatever its statistics are. The table `rounds` has
   * an index `list`, too.
   */
  byIndex(index: TxIndex, table?: "tx" | "rounds"): string;
  /**
   * Compares a text column byte by byte. A collation would treat some different texts as equal, for example texts that
   * differ in trailing spaces. Bindings: the same value twice.
   */
  isExactly(column: string): string;
  /**
   * At the end of an INSERT: if a row with this key exists, it does not change. `column` is any column of the table,
   * written as `nonces.token`. MySQL assigns this column to itself, so the row does not change.
   */
  keepExisting(column: string): string;
  /** At the end of an INSERT: the assignments that follow are made in the row that exists already. */
  updateExisting(key: string): string;
  /** In an assignment after {@link updateExisting}: the value of this column in the INSERT. */
  inserted(column: string): string;
  /** Deletes rows for which the condition is true. Binding: the maximum of deleted rows. */
  deleteSome(table: string, condition: string): string;
  /**
   * At the end of a SELECT. A database that locks rows locks the rows that are read until the transaction ends:
   * `skipping` leaves out rows that another session has locked, and with `failing` the statement fails at once if
   * there is such a row. Empty: the database does not lock single rows.
   */
  readonly locking: { readonly skipping: string; readonly failing: string };
  /** The rows of all these SELECTs, of which each may have its own ORDER BY and LIMIT. */
  unionAll(selects: readonly string[]): string;
  /** A table for FROM: one row per id, in the column `id`. */
  idTable(ids: readonly number[]): Statement;
}
