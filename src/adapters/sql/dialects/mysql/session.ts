/**
 * The session of a connection. A server's defaults and its init_connect may have any values, so every connection sets
 * each variable on which a statement of ours relies, and reads back those on which money depends. Every other session
 * variable may have any value: no statement of ours depends on it.
 */

/** The reply to a statement that returns no rows. `serverStatus` has the flags of {@link isCommitted}. */
export interface Done {
  readonly affectedRows: number;
  readonly serverStatus?: number;
}

type SqlError = Error & { readonly errno?: number };

/** The part of mysql2's connection that is used here. */
export interface SessionConnection {
  query(sql: string, done: (error: SqlError | null, result: Done | Readonly<Record<string, unknown>>[]) => void): void;
}

/** What differs between the connections of two pools. */
export interface SessionKind {
  /** The time limit of a statement at the server; 0: none. */
  readonly statementLimitMs: number;
  /** A read waits until its node of a cluster has applied every write that any node has acknowledged. */
  readonly seesAllWrites: boolean;
  /** How long a statement waits for a row that another session has locked, in seconds. */
  readonly lockWaitS: number;
}

/** A connection of a pool may be idle for this time. */
const IDLE_MAX_S = 28_800;
/**
 * Before a transaction. The server then ends the transaction when it gets no statement of it for this time. When the
 * client's host vanishes, no FIN reaches the server, and when the client is suspended, the connection stays open. Without
 * this limit the server would keep the transaction and its locks as long as an idle connection. MariaDB also has
 * `idle_transaction_timeout`, but MySQL has nothing like it, so both get a short `wait_timeout` during a transaction.
 */
export const beginLimit = (seconds: number): string => `SET SESSION wait_timeout = ${seconds}`;

/** The code of the error with which a connection is refused. Nothing was sent on the connection. */
export const SESSION_REFUSED = "SESSION_REFUSED";

interface Variable {
  readonly name: string;
  readonly value: string | number;
  /** The value as a SELECT returns it, if money depends on the variable. Such a variable is read back. */
  readonly proof?: string;
}

const MIB = 2 ** 20;
/** All modes are set, so that no setting of the server (NO_BACKSLASH_ESCAPES) changes what the driver escapes. */
const SQL_MODE = "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";
/** The greatest number that MariaDB, MySQL and Vitess take for a limit. */
const NO_LIMIT = "9223372036854775807";

/** The variables that MariaDB and MySQL have. */
const COMMON: readonly Variable[] = [
  // A write is acknowledged only when it is committed.
  { name: "autocommit", value: 1, proof: "1" },
  // With CHAIN, the statement after a transaction would be part of a further transaction.
  { name: "completion_type", value: "'NO_CHAIN'", proof: "NO_CHAIN" },
  { name: "sql_mode", value: `'${SQL_MODE}'`, proof: SQL_MODE },
  { name: "time_zone", value: "'+00:00'", proof: "+00:00" },
  { name: "character_set_client", value: "utf8mb4", proof: "utf8mb4" },
  { name: "character_set_results", value: "utf8mb4", proof: "utf8mb4" },
  // This also sets character_set_connection. Two texts of a statement are equal only if their bytes are.
  { name: "collation_connection", value: "utf8mb4_bin", proof: "utf8mb4_bin" },
  // Without these checks InnoDB may accept a second row with the same key.
  { name: "unique_checks", value: 1, proof: "1" },
  // A SELECT must return all its rows, whatever their number, and compare the whole of each text that it sorts.
  { name: "sql_select_limit", value: NO_LIMIT, proof: NO_LIMIT },
  { name: "sql_big_selects", value: 1, proof: "1" },
  { name: "max_sort_length", value: 1_024, proof: "1024" },
  // With this mode, `id IS NULL` would find the row that was inserted last.
  { name: "sql_auto_is_null", value: 0, proof: "0" },
  // Some updates find their rows by a join, without a key in WHERE.
  { name: "sql_safe_updates", value: 0 },
  // The wait for a table whose schema changes. After this time the server drops a statement that nobody waits for.
  { name: "lock_wait_timeout", value: 10 },
  // A report is read while it is written to a file.
  { name: "wait_timeout", value: IDLE_MAX_S },
  { name: "net_read_timeout", value: 30 },
  { name: "net_write_timeout", value: 60 },
  // A report by tens of thousands of players needs more than the usual 16 MB for a temporary table: its rows have room
  // for the longest possible player_id. On disk the report would take five times as long.
  { name: "tmp_table_size", value: 64 * MIB },
  { name: "max_heap_table_size", value: 64 * MIB },
  { name: "sort_buffer_size", value: 2 * MIB },
];

const LEVEL = "READ-COMMITTED";

const mariadbOnly = ({ statementLimitMs }: SessionKind): readonly Variable[] => [
  { name: "tx_isolation", value: `'${LEVEL}'`, proof: LEVEL },
  { name: "tx_read_only", value: 0, proof: "0" },
  { name: "max_statement_time", value: statementLimitMs / 1_000 },
  { name: "query_cache_type", value: 0 },
  { name: "tmp_disk_table_size", value: NO_LIMIT },
  { name: "max_session_mem_used", value: "9223372036854775807" },
  // With lower limits the server would read a whole table for a batch of many keys, and lock all its rows.
  { name: "optimizer_max_sel_arg_weight", value: 32_000 },
  { name: "in_predicate_conversion_threshold", value: 1_000 },
];

const mysqlOnly = ({ statementLimitMs }: SessionKind): readonly Variable[] => [
  { name: "transaction_isolation", value: `'${LEVEL}'`, proof: LEVEL },
  { name: "transaction_read_only", value: 0, proof: "0" },
  { name: "max_execution_time", value: statementLimitMs },
  { name: "range_optimizer_max_mem_size", value: 8 * MIB },
];

/** MariaDB runs what is inside of such a comment, MySQL does not. */
const onMariadb = (sql: string): string => `/*M!100600 ${sql} */`;
/** MySQL runs what is inside of such a comment, MariaDB does not. */
const onMysql = (sql: string): string => `/*!80000 ${sql} */`;

/**
 * Variables that are not set, because that needs a right that the service's user should not have, or because they have
 * no default. They are read back, and set only if they are wrong.
 */
const SELDOM_SET: readonly { readonly name: string; readonly read: string; readonly right: readonly string[] }[] = [
  // A replica of the database would not get the write.
  { name: "sql_log_bin", read: "IF(@@log_bin, @@sql_log_bin, 1)", right: ["1"] },
  // InnoDB refuses every write with READ COMMITTED and STATEMENT.
  { name: "binlog_format", read: "IF(@@log_bin, @@binlog_format, 'ROW')", right: ["ROW", "MIXED"] },
  // This variable stops the clock of NOW().
  {
    name: "timestamp",
    read: "IF(ABS(TIMESTAMPDIFF(SECOND, SYSDATE(), NOW())) < 2, 'DEFAULT', NOW())",
    right: ["DEFAULT"],
  },
];

/**
 * Variables that exist only on a node of a Galera cluster, with the plugin of MySQL's group replication, or on Vitess.
 * Each has a statement of its own, because a server refuses a statement with an unknown variable as a whole.
 */
const onSomeServers = ({ seesAllWrites, statementLimitMs }: SessionKind): readonly string[] => [
  ...(seesAllWrites
    ? [
        // A node outside of the majority must not answer with old rows.
        "SET SESSION wsrep_sync_wait = 1, wsrep_dirty_reads = 0",
        "SET SESSION group_replication_consistency = 'BEFORE'",
      ]
    : // A migration must run on all nodes.
      ["SET SESSION wsrep_osu_method = 'TOI'"]),
  // Vitess ignores max_execution_time.
  ...(statementLimitMs > 0 ? [`SET SESSION query_timeout = ${statementLimitMs}`] : []),
];

const UNKNOWN_SYSTEM_VARIABLE = 1193;

const assigned = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `, ${name} = ${value}`).join("");
const read = (variables: readonly Variable[]): string =>
  variables.map(({ name, proof }) => (proof === undefined ? "" : `, @@SESSION.${name} AS ${name}`)).join("");

/**
 * After a transaction. Vitess gives the isolation level of a transaction to the whole session, so the level is set again,
 * too.
 */
export const END_LIMIT = `${beginLimit(IDLE_MAX_S)} ${onMariadb(`, tx_isolation = '${LEVEL}'`)} ${onMysql(`, transaction_isolation = '${LEVEL}'`)}`;

/** One statement that sets all variables of a session, whatever the server is. */
const setting = (kind: SessionKind): string =>
  `SET SESSION ${assigned(COMMON).slice(2)}, innodb_lock_wait_timeout = ${kind.lockWaitS} ${onMariadb(assigned(mariadbOnly(kind)))} ${onMysql(assigned(mysqlOnly(kind)))}`;

/** One statement that reads back everything on which money depends. */
const reading = (kind: SessionKind): string =>
  `SELECT DATABASE() AS DATABASE_NAME${SELDOM_SET.map(({ name, read: sql }) => `, ${sql} AS ${name}`).join("")}${read(COMMON)} ${onMariadb(read(mariadbOnly(kind)))} ${onMysql(read(mysqlOnly(kind)))}`;

const AUTOCOMMIT_FLAG = 2;
const IN_TRANSACTION_FLAG = 1;

/** Whether the server says that nothing is open: the statement was committed, and so will be the next one. */
export const isCommitted = ({ serverStatus = AUTOCOMMIT_FLAG }: Done): boolean =>
  (serverStatus & (AUTOCOMMIT_FLAG | IN_TRANSACTION_FLAG)) === AUTOCOMMIT_FLAG;

/**
 * Sets the session of a new connection.
 *
 * @throws Error with the code SESSION_REFUSED if money could be lost on this connection. The message names the
 *   variable, its value and the remedy.
 */
export async function prepareSession(
  connection: SessionConnection,
  database: string,
  kind: SessionKind,
): Promise<void> {
  const ask = (sql: string) =>
    new Promise<Done | Readonly<Record<string, unknown>>[]>((resolve, reject) =>
      connection.query(sql, (error, result) => (error === null ? resolve(result) : reject(error))),
    );
  // init_connect may have begun a transaction.
  if (!isCommitted((await ask(setting(kind))) as Done)) await ask("ROLLBACK");
  for (const sql of onSomeServers(kind))
    await ask(sql).catch((error: SqlError) => {
      if (error.errno !== UNKNOWN_SYSTEM_VARIABLE) throw error;
    });
  const wrong = async () => faultsOf((await ask(reading(kind))) as Readonly<Record<string, unknown>>[], database, kind);
  const first = await wrong();
  if (first.length === 0) return;
  for (const { repair } of first) await ask(repair).catch(() => {});
  const [left] = await wrong();
  if (left === undefined) return;
  throw Object.assign(new Error(left.message), { code: SESSION_REFUSED });
}

interface SessionFault {
  readonly repair: string;
  readonly message: string;
}

function faultsOf(
  [row = {}]: readonly Readonly<Record<string, unknown>>[],
  database: string,
  kind: SessionKind,
): readonly SessionFault[] {
  const wanted = [
    ...[...COMMON, ...mariadbOnly(kind), ...mysqlOnly(kind)].flatMap(({ name, proof }) =>
      proof === undefined ? [] : [{ name, right: [proof] }],
    ),
    ...SELDOM_SET,
  ];
  const faults = wanted.flatMap(({ name, right }) => {
    const found = row[name];
    const [value = ""] = right;
    // The other server's variables are not in the row.
    if (found === undefined || right.includes(String(found))) return [];
    const repaired = /^(\d+|DEFAULT)$/.test(value) ? value : `'${value}'`;
    return [
      {
        repair: `SET SESSION ${name} = ${repaired}`,
        message: `the database's session has ${name} = ${found}, but it must be ${value}. The service cannot change it. Set it in the server's configuration, and remove it from init_connect`,
      },
    ];
  });
  if (row.DATABASE_NAME !== database)
    faults.unshift({
      repair: `USE \`${database.replaceAll("`", "``")}\``,
      message: `the connection uses the database ${row.DATABASE_NAME} and not ${database}. Remove USE from the server's init_connect`,
    });
  return faults;
}
