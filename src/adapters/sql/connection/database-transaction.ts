import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";
import type { Database } from "./database.ts";
import type { Row, Statement } from "./statement.ts";

/** Longer than this process computes between two statements, unless it is suspended. */
const OPEN_MAX_S = 5;

/**
 * Runs a transaction. BEGIN, its statements and COMMIT have no time limit of their own, so the connection to a server
 * is closed when nothing arrives on it for `silenceMs`. The caller then gets an error and does not wait for ever.
 *
 * @param openMaxS - the server ends the transaction when it gets no statement of it for this time, because this process
 *   may be suspended, or its host may have vanished.
 */
export const inTransaction = <T>(
  { knex, dialect, silenceMs }: Pick<Database, "knex" | "dialect" | "silenceMs">,
  run: (db: Knex.Transaction) => Promise<T>,
  config: Knex.TransactionConfig = {},
  openMaxS = OPEN_MAX_S,
): Promise<T> => dialect.inTransaction(knex, run, config, silenceMs, openMaxS);

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
