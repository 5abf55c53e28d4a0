import type { Row, Statement, StatementResult } from "../../connection/statement.ts";

/** The part of better-sqlite3's connection that is used here. */
interface Connection {
  prepare(sql: string): Prepared;
}

interface Prepared {
  readonly reader: boolean;
  all(bindings: readonly unknown[]): Row[];
  run(bindings: readonly unknown[]): { changes: number };
}

/**
 * The maximum of compiled statements that are kept for each connection. A frequent statement always has the same text;
 * the texts of others depend on the request.
 */
const COMPILED_MAX = 64;
const compiledBy = new WeakMap<Connection, Map<string, Prepared>>();

export function runOnSqlite(connection: unknown, { sql, bindings }: Statement): StatementResult {
  const statement = compiled(connection as Connection, sql);
  return statement.reader
    ? { rows: statement.all(bindings), affected: 0 }
    : { rows: [], affected: statement.run(bindings).changes };
}

function compiled(connection: Connection, sql: string): Prepared {
  const known = compiledBy.get(connection) ?? new Map<string, Prepared>();
  compiledBy.set(connection, known);
  const found = known.get(sql);
  if (found !== undefined) return found;
  if (known.size >= COMPILED_MAX) known.clear();
  const statement = connection.prepare(sql);
  known.set(sql, statement);
  return statement;
}
