/** What the SQL storage needs of a database and its driver. */

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement. Its parameters are written `?`. */
export type Query = (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface SqlDatabase {
  readonly dialect: "sqlite" | "mysql" | "postgresql";
  /** Runs `work` in one transaction, and rolls back when it throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Whether another transaction was in the way: a unique key was taken, a deadlock. Then it is worth another try. */
  isConflict(cause: unknown): boolean;
}

/** Whether a driver's error has one of these codes. */
export const hasCode = (cause: unknown, codes: readonly string[]): boolean =>
  cause instanceof Error && codes.includes(String((cause as Error & { code?: unknown }).code));
