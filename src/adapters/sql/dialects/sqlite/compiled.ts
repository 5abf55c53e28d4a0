import type { Row } from "../../connection/statement.ts";

/** The part of better-sqlite3's connection that is used here. */
export interface SqliteConnection {
  prepare(sql: string): Compiled;
  pragma(setting: string, options?: { readonly simple: boolean }): unknown;
  defaultSafeIntegers(on: boolean): unknown;
  close(): void;
}

interface Compiled {
  readonly reader: boolean;
  all(bindings: readonly unknown[]): Row[];
  run(bindings: readonly unknown[]): { changes: number; lastInsertRowid: bigint };
}

/**
 * The maximum of compiled statements that are kept for each connection. A frequent statement always has the same text;
 * the texts of others depend on the request.
 */
const COMPILED_MAX = 64;
const compiledBy = new WeakMap<SqliteConnection, Map<string, Compiled>>();

function compiled(connection: SqliteConnection, sql: string): Compiled {
  const known = compiledBy.get(connection) ?? new Map<string, Compiled>();
  compiledBy.set(connection, known);
  const found = known.get(sql);
  if (found !== undefined) return found;
  if (known.size >= COMPILED_MAX) known.clear();
  const statement = connection.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** The code of an error of the driver itself: it can't bind a value, so it ran nothing. */
export const UNBOUND = "UNBOUND";

export type Ran = { readonly rows: Row[] } | { readonly changes: number; readonly lastInsertRowid: bigint };

/** Runs one statement. */
export function runCompiled(connection: SqliteConnection, sql: string, bindings: readonly unknown[]): Ran {
  try {
    const statement = compiled(connection, sql);
    return statement.reader ? { rows: statement.all(bindings) } : statement.run(bindings);
  } catch (error) {
    const isUnbound =
      error instanceof RangeError || (error instanceof TypeError && /can only bind/.test(error.message));
    throw isUnbound ? Object.assign(error, { code: UNBOUND }) : error;
  }
}
