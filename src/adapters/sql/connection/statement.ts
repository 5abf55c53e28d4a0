/** SQL text with `?` for each binding. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  /**
   * Whether the same text is sent again and again. If so, a server that can prepare statements prepares it once. The
   * integers of its result may then arrive as doubles or as text.
   */
  readonly recurs?: boolean;
}

/** A `?` for each value, for an IN list. */
export const marks = (values: readonly unknown[]): string => values.map(() => "?").join(", ");

export type Binding = string | number | bigint | Buffer | null;

/** A value of a new row. */
export type Cell = string | number | bigint | null;

/** A row as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The result of a statement: the rows that it read, or the number of rows that it inserted or changed. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly affected: number;
}

/** A whole number of a row. Databases return it as a number, a text or a big integer. */
export const integer = (value: unknown): bigint => BigInt(value as string | number | bigint);
