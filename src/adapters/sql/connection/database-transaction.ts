import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import type { Database } from "./database.ts";
import { throwDriverError } from "./failure.ts";
import type { Row, Statement, Step } from "./statement.ts";

/**
 * Runs a transaction. BEGIN, its statements and COMMIT have no time limit of their own, so the connection to a server
 * is closed when nothing arrives on it for `silenceMs`. The caller then gets an error and does not wait for ever.
 */
export const inTransaction = <T>(
  { knex, dialect, silenceMs }: Pick<Database, "knex" | "dialect" | "silenceMs">,
  run: (db: Knex.Transaction) => Promise<T>,
  config: Knex.TransactionConfig = {},
): Promise<T> => dialect.inTransaction(knex, run, config, silenceMs);

/** See Dialect.atOnce. */
export const atOnce = (
  { knex, dialect, silenceMs }: Pick<Database, "knex" | "dialect" | "silenceMs">,
  steps: readonly Step[],
): Promise<boolean> => dialect.atOnce(knex, steps, silenceMs).catch(throwDriverError);

/** The rows that a statement reads inside a transaction. */
export const rowsIn = async (
  dialect: Dialect,
  db: Knex.Transaction,
  { sql, bindings }: Statement,
): Promise<readonly Row[]> => dialect.rowsOf(await db.raw(sql, bindings as never));

/** The number of rows that a statement changes inside a transaction. */
export const changedIn = async (
  dialect: Dialect,
  db: Knex.Transaction,
  { sql, bindings }: Statement,
): Promise<number> => dialect.changedBy(await db.raw(sql, bindings as never));
