import type { Statement, StatementResult } from "../../connection/statement.ts";
import { compiled, type SqliteConnection } from "./compiled.ts";
import { SqliteThread } from "./thread.ts";

export async function runOnSqlite(connection: unknown, { sql, bindings }: Statement): Promise<StatementResult> {
  if (connection instanceof SqliteThread) {
    const result = await connection.run(sql, bindings);
    return "rows" in result ? { rows: result.rows, affected: 0 } : { rows: [], affected: result.changes };
  }
  const statement = compiled(connection as SqliteConnection, sql);
  return statement.reader
    ? { rows: statement.all(bindings), affected: 0 }
    : { rows: [], affected: statement.run(bindings).changes };
}
