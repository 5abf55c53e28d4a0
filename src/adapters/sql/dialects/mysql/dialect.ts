import type { Dialect } from "../dialect.ts";
import { openMysql } from "./connections.ts";
import { mysqlFailures } from "./failures.ts";
import { readMysqlPlayers } from "./ggr-players.ts";
import { runOnMysql } from "./run.ts";
import { mysqlSchema } from "./schema.ts";
import { mysqlFragments } from "./sql-fragments.ts";
import { insertOf, latestDue, numberRows } from "./statements.ts";
import { mysqlTransactionStatements } from "./transaction-statements.ts";
import { inMysqlTransaction } from "./transactions.ts";
import { refusalOfVitess } from "./vitess.ts";

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
  durability: [
    {
      name: "innodb_flush_log_at_trx_commit",
      durable: 1,
      read: { sql: "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS value", bindings: [] },
      set: { sql: "SET GLOBAL innodb_flush_log_at_trx_commit = 1", bindings: [] },
    },
    {
      // After a power cut, a server with a binary log rolls back the commits that its binary log does not have.
      name: "sync_binlog",
      durable: 1,
      read: { sql: "SELECT IF(@@GLOBAL.log_bin, @@GLOBAL.sync_binlog, 1) AS value", bindings: [] },
      set: { sql: "SET GLOBAL sync_binlog = 1", bindings: [] },
    },
  ],
  sql: mysqlFragments,
  schema: mysqlSchema,
  transactions: mysqlTransactionStatements,
  numberRows,
  latestDue,
  insertOf,
  snapshot: { config: { isolationLevel: "repeatable read" }, cancellable: true },
  readPlayers: readMysqlPlayers,
};
