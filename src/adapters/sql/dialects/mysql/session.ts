/**
 * The session of a connection. A server's defaults and its init_connect may have any values, so every connection sets
 * each variable on which a statement of ours relies, and reads back those on which money depends. They are read from a
 * table of the server, because Vitess' proxy answers `@@time_zone` and SHOW VARIABLES by what it was told. Every other
 * session variable may have any value: no statement of ours depends on it.
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
  /** The value as the server shows it, if money depends on the variable. Such a variable is read back. */
  readonly proof?: string;
  /** Another value that is as good. */
  readonly orProof?: string;
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
  // Vitess' proxy does not pass it on. The server then keeps its own default.
  { name: "sql_select_limit", value: NO_LIMIT, proof: NO_LIMIT, orProof: "18446744073709551615" },
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

/** The schema with the tables of the server's variables, whatever the server is. */
export const SERVER_SCHEMA = `${onMariadb("information_schema")} ${onMysql("performance_schema")}`;

interface Wanted {
  readonly name: string;
  /** The values that are allowed. */
  readonly right: readonly string[];
}

/** Variables that are not set, because that needs a right that the service's user should not have. */
const OF_BINARY_LOG: readonly Wanted[] = [
  // A replica of the database would not get the write.
  { name: "sql_log_bin", right: ["1"] },
  // InnoDB refuses every write with READ COMMITTED and STATEMENT.
  { name: "binlog_format", right: ["ROW", "MIXED"] },
];

const CONSISTENCY = "group_replication_consistency";
/** The variable with the name of the server's group. */
const GROUP = "group_replication_group_name";

/** Whether the clock of NOW() runs. The variable `timestamp` stops it. This variable has no default. */
const CLOCK: Wanted = { name: "timestamp", right: ["DEFAULT"] };
const READ_CLOCK = "IF(ABS(TIMESTAMPDIFF(SECOND, SYSDATE(), NOW())) < 2, 'DEFAULT', NOW())";

/**
 * Variables that exist only on a node of a Galera cluster, or with the plugin of MySQL's group replication. Each list has
 * a statement of its own, because a server refuses a statement with an unknown variable as a whole.
 */
const inClusters = ({ seesAllWrites }: SessionKind): readonly (readonly Variable[])[] =>
  seesAllWrites
    ? [
        // A node outside of the majority must not answer with old rows.
        [
          { name: "wsrep_sync_wait", value: 1, proof: "1" },
          { name: "wsrep_dirty_reads", value: 0, proof: "0" },
        ],
        [{ name: CONSISTENCY, value: "'BEFORE'", proof: "BEFORE" }],
      ]
    : // A migration must run on all nodes.
      [[{ name: "wsrep_osu_method", value: "'TOI'", proof: "TOI" }]];

/** Vitess ignores max_execution_time. Its proxy has this limit, and ends the statement itself. */
const onVitess = ({ statementLimitMs }: SessionKind): readonly (readonly Variable[])[] =>
  statementLimitMs > 0 ? [[{ name: "query_timeout", value: statementLimitMs }]] : [];

const UNKNOWN_SYSTEM_VARIABLE = 1193;

const assigned = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `, ${name} = ${value}`).join("");

/**
 * After a transaction. Vitess gives the isolation level of a transaction to the whole session, so the level is set again,
 * too.
 */
export const END_LIMIT = `${beginLimit(IDLE_MAX_S)} ${onMariadb(`, tx_isolation = '${LEVEL}'`)} ${onMysql(`, transaction_isolation = '${LEVEL}'`)}`;

/** One statement that sets all variables of a session, whatever the server is. */
const setting = (kind: SessionKind): string =>
  `SET SESSION ${assigned(COMMON).slice(2)}, innodb_lock_wait_timeout = ${kind.lockWaitS} ${onMariadb(assigned(mariadbOnly(kind)))} ${onMysql(assigned(mysqlOnly(kind)))}`;

/** Everything on which money depends. */
const wantedOf = (kind: SessionKind): readonly Wanted[] =>
  [...COMMON, ...mariadbOnly(kind), ...mysqlOnly(kind), ...inClusters(kind).flat()].flatMap(
    ({ name, proof, orProof = proof }) => (proof === undefined ? [] : [{ name, right: [proof, orProof as string] }]),
  );

/** Reads variables of the session from the server that runs its statements, as `name` and `value`. */
const reading = (names: readonly string[]): string =>
  `SELECT VARIABLE_NAME AS name, VARIABLE_VALUE AS value FROM ${SERVER_SCHEMA}.session_variables WHERE VARIABLE_NAME IN (${names.map((name) => `'${name}'`).join(", ")})`;

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
  for (const variables of [...inClusters(kind), ...onVitess(kind)])
    await ask(`SET SESSION ${assigned(variables).slice(2)}`).catch((error: SqlError) => {
      if (error.errno !== UNKNOWN_SYSTEM_VARIABLE) throw error;
    });
  const wanted = wantedOf(kind);
  const wrong = async (): Promise<readonly SessionFault[]> => {
    const names = ["log_bin", GROUP, ...[...wanted, ...OF_BINARY_LOG].map(({ name }) => name)];
    const rows = (await ask(reading(names))) as readonly Readonly<Record<string, unknown>>[];
    const [row = {}] = (await ask(`SELECT DATABASE() AS name, ${READ_CLOCK} AS clock`)) as typeof rows;
    const found = new Map(rows.map(({ name, value }) => [String(name).toLowerCase(), asNumber(String(value))]));
    found.set(CLOCK.name, String(row.clock));
    const hasLog = found.get("log_bin") === "1";
    // Every MySQL has the variable, but only a member of a group uses it. Vitess' proxy does not know it.
    const isRelevant = ({ name }: SessionFault) => name !== CONSISTENCY || Boolean(found.get(GROUP));
    return [
      ...faultOfDatabase(row.name, database),
      ...faultsOf(found, [...wanted, ...(hasLog ? OF_BINARY_LOG : []), CLOCK]).filter(isRelevant),
    ];
  };
  const first = await wrong();
  if (first.length === 0) return;
  for (const { repair } of first) await ask(repair).catch(() => {});
  const [left] = await wrong();
  if (left === undefined) return;
  throw Object.assign(new Error(left.message), { code: SESSION_REFUSED });
}

/** A switch is ON or OFF in the server's tables. */
const asNumber = (value: string): string => (value === "ON" ? "1" : value === "OFF" ? "0" : value);

interface SessionFault {
  readonly name: string;
  readonly repair: string;
  readonly message: string;
}

const faultsOf = (found: ReadonlyMap<string, string>, wanted: readonly Wanted[]): readonly SessionFault[] =>
  wanted.flatMap(({ name, right }) => {
    const value = found.get(name);
    const [best = ""] = right;
    // Each server has only some of the variables.
    if (value === undefined || right.includes(value)) return [];
    const repaired = /^(\d+|DEFAULT)$/.test(best) ? best : `'${best}'`;
    return [
      {
        name,
        repair: `SET SESSION ${name} = ${repaired}`,
        message: `the database's session has ${name} = ${value}, but it must be ${best}. The service cannot change it. Set it in the server's configuration, and remove it from init_connect`,
      },
    ];
  });

const faultOfDatabase = (found: unknown, database: string): readonly SessionFault[] =>
  found === database
    ? []
    : [
        {
          name: "database",
          repair: `USE \`${database.replaceAll("`", "``")}\``,
          message: `the connection uses the database ${found} and not ${database}. Remove USE from the server's init_connect`,
        },
      ];
