import type { Knex } from "knex";
import { causeOf } from "../../connection/failure.ts";
import type { Read, ServerFault } from "../dialect.ts";
import { SERVER_SCHEMA } from "./session.ts";

const SYNTAX_ERROR = 1064;

/**
 * Vitess plans some of our statements wrongly for a keyspace with several shards: a refund marked the row of another
 * merchant. So a keyspace must have one shard.
 */
export async function refusalOfVitess(knex: Knex): Promise<string | undefined> {
  const [[current]] = await knex.raw("SELECT DATABASE() AS name");
  const [shards] = await knex.raw("SHOW VITESS_SHARDS").catch((error) => {
    // Every other server knows no such statement. After any other error it is not known which server this is.
    if (causeOf(error).errno !== SYNTAX_ERROR) throw error;
    return [[]];
  });
  const own = (shards as Readonly<Record<string, unknown>>[])
    .map((row) => String(Object.values(row)[0]))
    .filter((shard) => shard.startsWith(`${current.name}/`));
  if (own.length <= 1) return undefined;
  return `the Vitess keyspace ${current.name} has ${own.length} shards (${own.join(", ")}), and the service works with one shard only. Name a keyspace without shards in DATABASE_URL`;
}

const POWER_CUT = "a power cut at the database can lose acknowledged transactions";
const NEW_PRIMARY = "a change of the primary can lose acknowledged transactions";
const OLD_ROWS = "a server that has lost its cluster can answer with old rows";
const OLD_READ = "a read can miss what was acknowledged before it";

/** The values of variables and status variables by their names in lower case. */
type Facts = ReadonlyMap<string, string>;

/** What a setting of the server must be. */
interface Check {
  readonly name: string;
  /** For people: the right values. */
  readonly wanted: string;
  readonly isRight: (value: string) => boolean;
  /** What a wrong value can do. */
  readonly risk: string;
  /** Whether the setting matters on this server. */
  readonly matters: (facts: Facts) => boolean;
  /** Whether a user with the right to do so may set it to `wanted` while the server runs. */
  readonly isSettable?: true;
}

const one = (...right: readonly string[]) => ({
  wanted: right.join(" or "),
  isRight: (value: string) => right.includes(value),
});
const always = () => true;
const isIn = (facts: Facts, name: string): boolean => facts.get(name) === "ON";
/** The name under which a proxy's version is among the facts. */
const PROXY = "proxy";
const READ_ONLY = "super_read_only";
/** With it, two equal reads at a time are one, so the second one may miss a write that came before it. */
const CONSOLIDATOR = "--enable-consolidator of vttablet";
const onVitess = (facts: Facts): boolean => /vitess/i.test(facts.get(PROXY) ?? "");
/**
 * While Vitess changes the primary, the earlier primary may still answer a read. It takes no writes then, and need not
 * wait for another tablet.
 */
const onPrimary = (facts: Facts): boolean => onVitess(facts) && !isIn(facts, READ_ONLY);
const inGroup = (facts: Facts): boolean => Boolean(facts.get("group_replication_group_name"));

/** An hour, in ms. The commits of a primary wait at least this long for another tablet. */
const WAIT_MIN_MS = 3_600_000;

const CHECKS: readonly Check[] = [
  { name: "innodb_flush_log_at_trx_commit", ...one("1"), risk: POWER_CUT, matters: always, isSettable: true },
  {
    // After a power cut, a server with a binary log rolls back the commits that its binary log does not have.
    name: "sync_binlog",
    ...one("1"),
    risk: POWER_CUT,
    matters: (facts) => isIn(facts, "log_bin"),
    isSettable: true,
  },
  {
    name: "innodb_flush_method",
    wanted: "a method that flushes, such as fsync or O_DIRECT",
    isRight: (value) => !/^(nosync|littlesync)$/i.test(value),
    risk: POWER_CUT,
    matters: always,
  },
  {
    // MySQL's ALTER INSTANCE DISABLE INNODB REDO_LOG. MariaDB has nothing like it.
    name: "innodb_redo_log_enabled",
    ...one("ON"),
    risk: POWER_CUT,
    matters: (facts) => facts.has("innodb_redo_log_enabled"),
  },
  {
    name: "wsrep_provider_options",
    wanted: "without pc.ignore_quorum and pc.ignore_sb",
    isRight: (value) => !/pc\.ignore_(quorum|sb) = (true|yes|on|1)\b/i.test(value),
    risk: OLD_ROWS,
    matters: (facts) => isIn(facts, "wsrep_on"),
  },
  {
    name: "group_replication_exit_state_action",
    ...one("OFFLINE_MODE", "ABORT_SERVER"),
    risk: OLD_ROWS,
    matters: inGroup,
  },
  { name: "group_replication_autorejoin_tries", ...one("0"), risk: OLD_ROWS, matters: inGroup },
  {
    name: "group_replication_unreachable_majority_timeout",
    wanted: "above 0",
    isRight: (value) => Number(value) > 0,
    risk: OLD_ROWS,
    matters: inGroup,
  },
  {
    name: "group_replication_consistency",
    wanted: "at least BEFORE_ON_PRIMARY_FAILOVER",
    isRight: (value) => value !== "EVENTUAL",
    risk: OLD_ROWS,
    matters: inGroup,
  },
  { name: "rpl_semi_sync_source_enabled", ...one("ON"), risk: NEW_PRIMARY, matters: onPrimary },
  { name: "rpl_semi_sync_source_status", ...one("ON"), risk: NEW_PRIMARY, matters: onPrimary },
  { name: "rpl_semi_sync_source_wait_point", ...one("AFTER_SYNC"), risk: NEW_PRIMARY, matters: onPrimary },
  { name: "rpl_semi_sync_source_wait_no_replica", ...one("ON"), risk: NEW_PRIMARY, matters: onPrimary },
  {
    name: "rpl_semi_sync_source_timeout",
    wanted: `at least ${WAIT_MIN_MS}`,
    isRight: (value) => Number(value) >= WAIT_MIN_MS,
    risk: NEW_PRIMARY,
    matters: onPrimary,
  },
  { name: CONSOLIDATOR, ...one("false"), risk: OLD_READ, matters: onVitess },
];

const NAMES = [...CHECKS.map(({ name }) => name), "log_bin", "wsrep_on", "group_replication_group_name"];
const selectOf = (table: "variables" | "status", names: readonly string[]): string =>
  `SELECT VARIABLE_NAME AS name, VARIABLE_VALUE AS value FROM ${SERVER_SCHEMA}.global_${table} WHERE VARIABLE_NAME IN (${names.map((name) => `'${name}'`).join(", ")})`;
/** An earlier primary becomes read-only first and stops waiting then, so this order never shows one that does neither. */
const READ = [selectOf("variables", NAMES), selectOf("status", NAMES), selectOf("variables", [READ_ONLY])].join(
  " UNION ALL ",
);

/**
 * The settings of the server that stores the rows, on which durability and isolation rest. They are read from the
 * server's tables, which a proxy passes on.
 */
export async function mysqlServerFaults(read: Read): Promise<readonly ServerFault[]> {
  const found = await read({ sql: READ, bindings: [] });
  // Vitess' proxy answers this one itself. It passes VERSION() on.
  const [front] = await read({ sql: "SELECT @@version AS value", bindings: [] });
  const facts = new Map(found.map(({ name, value }) => [String(name).toLowerCase(), String(value)]));
  facts.set(PROXY, String(front?.value));
  if (onVitess(facts)) facts.set(CONSOLIDATOR, String(await isConsolidated(read)));
  return faultsOf(facts);
}

/** Long enough that the second of two reads arrives while the first one runs. */
const UNIQUE = `SELECT UUID() AS id, SLEEP(0.05) AS slept FROM ${SERVER_SCHEMA}.global_variables WHERE VARIABLE_NAME = 'log_bin'`;

async function isConsolidated(read: Read): Promise<boolean> {
  const [first, second] = await Promise.all([1, 2].map(() => read({ sql: UNIQUE, bindings: [] })));
  return first?.[0]?.id === second?.[0]?.id;
}

/** What is wrong with these settings. */
export const faultsOf = (facts: Facts): readonly ServerFault[] =>
  CHECKS.filter(({ matters }) => matters(facts)).flatMap(({ name, wanted, isRight, risk, isSettable }) => {
    const value = facts.get(name);
    if (value !== undefined && isRight(value)) return [];
    const set = { sql: `SET GLOBAL ${name} = ${wanted}`, bindings: [] };
    return [{ name, found: shortened(value), wanted, risk, ...(isSettable && { set }) }];
  });

/** Galera's options are one long text. */
const shortened = (value = "unknown"): string => (value.length > 100 ? `${value.slice(0, 100)}...` : value);
