import type { Dialect } from "../dialect.ts";
import { openMysql } from "./connections.ts";
import { mysqlFailures } from "./failures.ts";
import { readMysqlPlayers } from "./ggr-players.ts";
import { runOnMysql } from "./run.ts";
import { mysqlSchema } from "./schema.ts";
import { mysqlServerFaults, refusalOfVitess } from "./server.ts";
import { mysqlFragments } from "./sql-fragments.ts";
import { insertOf, latestDue, numberRows } from "./statements.ts";
import { mysqlTransactionStatements } from "./transaction-statements.ts";
import { inMysqlTransaction } from "./transactions.ts";

/** The dialect of MariaDB, MySQL and clusters of them. */
export const mysql: Dialect = {
  name: "mysql",
  urlPrefix: "mysql://",
  open: openMysql,
  run: runOnMysql,
  inTransaction: inMysqlTransaction,
  rowsOf: (result) => (result as [never[]])[0],
  changedBy: (result) => (result as [{ affectedRows: number }])[0].affectedRows,
  failures: mysqlFailures,
  refusal: refusalOfVitess,
  serverFaults: mysqlServerFaults,
  sql: mysqlFragments,
  schema: mysqlSchema,
  transactions: mysqlTransactionStatements,
  numberRows,
  latestDue,
  insertOf,
  snapshot: { config: { isolationLevel: "repeatable read" }, cancellable: true },
  readPlayers: readMysqlPlayers,
};
