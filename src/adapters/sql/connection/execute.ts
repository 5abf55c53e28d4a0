import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "./database.ts";
import { byDriver } from "./driver.ts";
import { repeating } from "./retry.ts";
import type { Row, Statement } from "./statement.ts";

export interface Written {
  /** The number of rows that the statement inserted or changed. */
  readonly affected: number;
  /** Whether every try except the last certainly changed nothing. Then `affected` is the complete number. */
  readonly certain: boolean;
}

/**
 * Runs one autocommit statement that may be repeated, because its own conditions make a second run harmless. After a
 * deadlock or a lost connection it is repeated after a random pause. Any other error is thrown, and also the error of
 * the last try.
 *
 * @param patienceMs - see {@link repeating}.
 */
export async function write(
  { knex, recurring, dialect }: Database,
  statement: Statement,
  patienceMs?: number,
): Promise<Written> {
  const pool = statement.recurs === true ? recurring : knex;
  let certain = true;
  const { affected } = await repeating(
    dialect,
    () => byDriver(pool, dialect, statement),
    () => {
      certain = false;
    },
    patienceMs,
  );
  return { affected, certain };
}

/** A read on which a decision depends. It sees every acknowledged write, even on a cluster. */
export async function decisiveRows({ decisive, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(dialect, () => byDriver(decisive, dialect, statement))).rows;
}

/** The time that the server may need to report that it ended a read at the read's time limit. */
const LIMIT_REPORT_MS = 2_000;

/** A read of many rows. A read that takes too long is not repeated, because repeats would keep the server busy. */
export async function selectedRows(
  { selecting, selectingLimitMs, dialect }: Database,
  statement: Statement,
): Promise<readonly Row[]> {
  const read = () =>
    byDriver(selecting, dialect, statement, selectingLimitMs + LIMIT_REPORT_MS).catch((cause) => {
      throw dialect.failures.isTimeout(cause) ? new StoreUnavailable("the read took too long", { cause }) : cause;
    });
  return (await repeating(dialect, read)).rows;
}

/** A read that may miss a write that another node of a cluster acknowledged a moment ago. */
export async function rows({ knex, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(dialect, () => byDriver(knex, dialect, statement))).rows;
}

/**
 * Deletes at most `limit` rows and returns their number.
 *
 * @param condition - the rows that are deleted, from the SQL of the database's time.
 */
export async function deleteRows(
  database: Database,
  table: string,
  condition: (nowMs: string) => string,
  limit: number,
): Promise<number> {
  const { nowMs, deleteSome } = database.dialect.sql;
  return (await write(database, { sql: deleteSome(table, condition(nowMs)), bindings: [limit] })).affected;
}
