import type { Statement } from "../connection/statement.ts";

/** The indexes of the table `tx`; schema/migrations/001-tables.ts lists their columns. */
export type TxIndex = "key" | "ref" | "round" | "player" | "list" | "feed" | "due";

/** Pieces of SQL text that databases write differently. No value of a request ever stands in one. */
export interface SqlFragments {
  /** The database's time in ms since 1970, a whole number. It is the same moment everywhere in one statement. */
  readonly nowMs: string;
  /** The function that gives the greatest of its arguments. */
  readonly greatest: string;
  /** A join that reads its left side first. */
  readonly joinInOrder: string;
  /** After `FROM tx`: the index by which the table is read, whatever the statistics say. */
  byIndex(index: TxIndex): string;
  /**
   * Compares a text column byte by byte. A collation would merge texts that differ, for example in trailing spaces.
   * Bindings: the same value twice.
   */
  isExactly(column: string): string;
  /**
   * At the end of an INSERT: a row whose key is there already stays as it is. `column`: any column of the table, with
   * the table's name.
   */
  keepExisting(column: string): string;
  /** At the end of an INSERT: what follows are assignments to a row whose key is there already. */
  updateExisting(key: string): string;
  /** In such an assignment: the value that the INSERT brought. */
  inserted(column: string): string;
  /** Deletes rows for which the condition holds. Binding: how many at most. */
  deleteSome(table: string, condition: string): string;
  /** A table for FROM: one row per id, in the column `id`. */
  idTable(ids: readonly number[]): Statement;
}
