import type { Statement, StatementResult } from "../../connection/statement.ts";
import { runCompiled, type SqliteConnection } from "./compiled.ts";
import { SqliteThread } from "./thread.ts";

export async function runOnSqlite(connection: unknown, { sql, bindings }: Statement): Promise<StatementResult> {
  const result =
    connection instanceof SqliteThread
      ? await connection.run(sql, bindings)
      : runCompiled(connection as SqliteConnection, sql, bindings);
  return "rows" in result ? { rows: result.rows, affected: 0 } : { rows: [], affected: result.changes };
}
