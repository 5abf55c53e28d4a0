/** SQL text with `?` for each binding. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  /**
   * The same text is sent again and again, so a server that can prepares it once. The integers that it reads may then
   * arrive as doubles or as text.
   */
  readonly recurs?: boolean;
}

export type Binding = string | number | bigint | Buffer | null;

/** A value of a new row. */
export type Cell = string | number | bigint | null;

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The result of a statement: the rows of a reading one, or the number of rows that a writing one inserted or changed.
 */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly affected: number;
}
