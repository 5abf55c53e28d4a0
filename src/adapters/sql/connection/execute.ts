import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "./database.ts";
import { byDriver } from "./driver.ts";
import { repeating } from "./retry.ts";
import type { Row, Statement } from "./statement.ts";

export interface Written {
  /** Rows that the statement inserted or changed. */
  readonly affected: number;
  /** Every try but the last certainly did nothing, so `affected` counts all of it. */
  readonly certain: boolean;
}

/**
 * Runs one autocommit statement that may be repeated: its own conditions make a second run harmless. After a deadlock
 * or a lost connection it is repeated, with a random pause before. Any other error is thrown, and so is the error of
 * the last try.
 */
export async function write({ knex, dialect }: Database, statement: Statement): Promise<Written> {
  let certain = true;
  const { affected } = await repeating(
    dialect,
    () => byDriver(knex, dialect, statement),
    () => {
      certain = false;
    },
  );
  return { affected, certain };
}

/** A read that decides: it sees every acknowledged write, on a cluster too. */
export async function decisiveRows({ decisive, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(dialect, () => byDriver(decisive, dialect, statement))).rows;
}

/** The time that the server may need to report a read that it ended at the time limit of the read. */
const LIMIT_REPORT_MS = 2_000;

/** A read of many rows. One that takes too long is not repeated, or the server would soon do nothing else. */
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

/** A read that may miss a write which another node of a cluster acknowledged a moment ago. */
export async function rows({ knex, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(dialect, () => byDriver(knex, dialect, statement))).rows;
}
