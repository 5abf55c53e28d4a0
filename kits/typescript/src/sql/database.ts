/** The functions of a database and its driver that the SQL storage needs. */

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement. The placeholder of a parameter is `?`. */
export type Query = (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface SqlDatabase {
  readonly dialect: "sqlite" | "mysql" | "postgresql";
  /** Runs `work` in one transaction. Rolls the transaction back when `work` throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Whether the error is a conflict with another transaction: a duplicate unique key or a deadlock. Then a retry may
   * succeed.
   */
  isConflict(cause: unknown): boolean;
}

/** Whether a driver's error has one of these codes. */
export const hasCode = (cause: unknown, codes: readonly string[]): boolean =>
  cause instanceof Error && codes.includes(String((cause as Error & { code?: unknown }).code));
