/** A server whose defaults are all different from what the service needs, and a user that is no administrator. */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { PRODUCT } from "./products.ts";
import { type DatabaseServer, startDatabaseServer } from "./server.ts";

const MARIADB = PRODUCT.name === "MariaDB";

/** The options of the server's configuration. */
const OPTIONS = [
  "--autocommit=0",
  "--completion-type=CHAIN",
  "--transaction-isolation=SERIALIZABLE",
  "--transaction-read-only=1",
  "--sql-mode=ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,IGNORE_SPACE,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,NO_AUTO_VALUE_ON_ZERO",
  "--default-time-zone=-03:00",
  "--character-set-server=latin1",
  "--collation-server=latin1_general_ci",
  "--innodb-lock-wait-timeout=1",
  "--lock-wait-timeout=1",
  "--wait-timeout=1",
  "--interactive-timeout=1",
  "--net-read-timeout=1",
  "--net-write-timeout=1",
  "--tmp-table-size=1024",
  "--max-heap-table-size=16384",
  "--sort-buffer-size=1024",
  "--join-buffer-size=128",
  "--read-buffer-size=8192",
  "--read-rnd-buffer-size=1",
  "--max-sort-length=4",
  "--max-join-size=1",
  "--max-seeks-for-key=1",
  "--div-precision-increment=0",
  "--group-concat-max-len=4",
  "--low-priority-updates",
  "--big-tables",
  "--eq-range-index-dive-limit=1",
  "--optimizer-prune-level=0",
  "--optimizer-search-depth=1",
  "--auto-increment-increment=7",
  "--auto-increment-offset=3",
  "--default-storage-engine=MyISAM",
  "--explicit-defaults-for-timestamp=0",
  "--innodb-strict-mode=0",
  "--innodb-table-locks=0",
  "--innodb-default-row-format=redundant",
  "--innodb-rollback-on-timeout=1",
  "--lc-time-names=de_DE",
  "--default-week-format=3",
  "--log-bin",
  "--server-id=1",
  ...(MARIADB
    ? [
        "--skip-character-set-client-handshake",
        "--max-statement-time=0.05",
        "--query-cache-type=1",
        "--query-cache-size=1M",
        "--tmp-disk-table-size=1024",
        "--optimizer-max-sel-arg-weight=10",
        "--in-predicate-conversion-threshold=2",
        "--join-cache-level=8",
        "--optimizer-switch=derived_merge=off,mrr=on,mrr_cost_based=off,mrr_sort_keys=on,index_condition_pushdown=off,rowid_filter=off,not_null_range_scan=on,condition_pushdown_for_derived=off,materialization=off,semijoin=off",
        "--optimizer-use-condition-selectivity=1",
        "--use-stat-tables=never",
        "--alter-algorithm=NOCOPY",
        "--innodb-snapshot-isolation=1",
        "--default-tmp-storage-engine=MyISAM",
        "--wsrep-sync-wait=15",
        "--wsrep-osu-method=RSU",
      ]
    : [
        "--max-execution-time=20",
        "--range-optimizer-max-mem-size=1",
        "--optimizer-switch=derived_merge=off,mrr=on,mrr_cost_based=off,batched_key_access=on,index_condition_pushdown=off,materialization=off,semijoin=off,prefer_ordering_index=off,subquery_to_derived=on",
        "--default-tmp-storage-engine=MyISAM",
        "--internal-tmp-mem-storage-engine=MEMORY",
        "--sql-require-primary-key",
        "--sql-generate-invisible-primary-key",
        "--transaction-alloc-block-size=1024",
      ]),
];

/** Variables that have no option. */
const GLOBALS = [
  "sql_select_limit = 1",
  "unique_checks = 0",
  "foreign_key_checks = 0",
  "sql_safe_updates = 1",
  "sql_auto_is_null = 1",
  "sql_buffer_result = 1",
];

/** What the server runs at the begin of each connection of a user that is no administrator. */
const INIT_CONNECT = [
  "SET sql_select_limit = 1, autocommit = 0, sql_mode = 'ANSI', completion_type = 2, timestamp = 1000000000",
  "USE information_schema",
  "START TRANSACTION",
];

const USER = "plain";

let servers = 0;

/** Starts such a server. The URLs of its databases are for a user with all rights on the databases, and no other. */
export async function startHostileServer(): Promise<DatabaseServer> {
  const file = join(tmpdir(), `hostile-${process.pid}-${++servers}.sql`);
  writeFileSync(
    file,
    [
      "SET SESSION TRANSACTION READ WRITE;",
      "SET autocommit = 1;",
      ...GLOBALS.map((one) => `SET GLOBAL ${one};`),
      `CREATE USER ${USER}@localhost;`,
      `GRANT ALL ON \`test\\_%\`.* TO ${USER}@localhost;`,
      "",
    ].join("\n"),
  );
  const server = await startDatabaseServer([
    ...OPTIONS,
    `--init-connect=${INIT_CONNECT.join("; ")}`,
    `--init-file=${file}`,
  ]);
  let databases = 0;
  const url = (name: string): string => server.url(name).replace("root@", `${USER}@`);
  return {
    ...server,
    // The database has the server's character set, latin1.
    createDatabase: async (name = `test_${++databases}`) => {
      const root = openDatabase(server.url("mysql"));
      await root.knex.raw(`CREATE DATABASE IF NOT EXISTS ${name}`);
      await root.close();
      return url(name);
    },
    url,
    stop: async () => {
      await server.stop();
      rmSync(file, { force: true });
    },
  };
}
