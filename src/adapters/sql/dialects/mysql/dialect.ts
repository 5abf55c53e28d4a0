import type { Dialect } from "../dialect.ts";
import { inMysqlTransaction, openMysql, URL_FORM } from "./connections.ts";
import { mysqlFailures } from "./failures.ts";
import { readMysqlPlayers } from "./ggr-players.ts";
import { runOnMysql } from "./run.ts";
import { mysqlSchema } from "./schema.ts";
import { mysqlFragments } from "./sql-fragments.ts";
import { insertOf, latestDue, numberRows } from "./statements.ts";
import { mysqlTransactionStatements } from "./transaction-statements.ts";

/**
 * A report by tens of thousands of players needs more than the usual 16 MB for a temporary table: its rows have room
 * for the longest possible player_id. On disk the report would take five times as long. The setting stays on the
 * connection, but other statements on it use no temporary table.
 */
const ROOM_FOR_GROUPS = `SET SESSION tmp_table_size = ${64 * 2 ** 20}, max_heap_table_size = ${64 * 2 ** 20}`;

/** The dialect of MariaDB, MySQL and clusters of them. */
export const mysql: Dialect = {
  name: "mysql",
  urlPrefix: "mysql://",
  urlForm: URL_FORM,
  open: openMysql,
  run: runOnMysql,
  inTransaction: inMysqlTransaction,
  rowsOf: (result) => (result as [never[]])[0],
  changedBy: (result) => (result as [{ affectedRows: number }])[0].affectedRows,
  failures: mysqlFailures,
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
  snapshot: { config: { isolationLevel: "repeatable read" }, preparation: [ROOM_FOR_GROUPS], cancellable: true },
  readPlayers: readMysqlPlayers,
};
