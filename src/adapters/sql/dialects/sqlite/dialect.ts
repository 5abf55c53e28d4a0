import type { Dialect } from "../dialect.ts";
import { openSqlite } from "./connections.ts";
import { sqliteFailures } from "./failures.ts";
import { readSqlitePlayers } from "./ggr-players.ts";
import { runOnSqlite } from "./run.ts";
import { sqliteSchema } from "./schema.ts";
import { sqliteFragments } from "./sql-fragments.ts";
import { insertOf, latestDue, numberRows } from "./statements.ts";
import { sqliteTransactionStatements } from "./transaction-statements.ts";

export const sqlite: Dialect = {
  name: "sqlite",
  urlPrefix: "sqlite:",
  open: openSqlite,
  run: runOnSqlite,
  // A transaction needs no time limit, because its statements run in this process: no network can lose an answer.
  inTransaction: (knex, run, config) => knex.transaction(run, config),
  rowsOf: (result) => result as never[],
  changedBy: (result) => (result as { changes: number }).changes,
  failures: sqliteFailures,
  refusal: async () => undefined,
  // Each connection sets its pragmas and reads them back when it opens, and no other program has the file open.
  serverFaults: async () => [],
  sql: sqliteFragments,
  schema: sqliteSchema,
  transactions: sqliteTransactionStatements,
  numberRows,
  latestDue,
  insertOf,
  // In WAL mode every transaction reads one snapshot, taken at its first read. better-sqlite3 can't cancel a
  // running statement.
  snapshot: { config: {}, cancellable: false },
  readPlayers: readSqlitePlayers,
};
