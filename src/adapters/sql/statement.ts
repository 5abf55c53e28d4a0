import type { Database } from "./database.ts";
import { repeating } from "./retry.ts";

/** SQL text with `?` for each binding. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

export type Binding = string | number | bigint | Buffer | null;

/** Rows as the driver gives them. */
export type Row = Readonly<Record<string, unknown>>;

export interface Written {
  /** Rows that the statement inserted or changed. */
  readonly affected: number;
  /** Every try but the last certainly did nothing, so `affected` counts all of it. */
  readonly certain: boolean;
}

/** A server that doesn't answer for this long is treated as a lost connection. */
const STATEMENT_TIMEOUT_MS = 4_000;

/**
 * One autocommit statement that may be repeated: its own conditions make a second run harmless. Deadlocks and lost connections
 * are repeated after a jittered pause; anything else is thrown, and so is what still fails at the last try.
 */
export async function write(database: Database, statement: Statement): Promise<Written> {
  let certain = true;
  const affected = await repeating(
    () => run(database, statement),
    () => {
      certain = false;
    },
  );
  return { affected, certain };
}

/** A read that decides. */
export function decisiveRows(database: Database, statement: Statement): Promise<Row[]> {
  return repeating(() => select(database, database.decisive, statement));
}

/** A read for which a moment's staleness is harmless. */
export function rows(database: Database, statement: Statement): Promise<Row[]> {
  return repeating(() => select(database, database.knex, statement));
}

async function run(database: Database, { sql, bindings }: Statement): Promise<number> {
  if (database.dialect === "sqlite") return ((await database.knex.raw(sql, bindings as never)) as { changes: number }).changes;
  const [result] = (await database.knex.raw(sql, bindings as never).timeout(STATEMENT_TIMEOUT_MS)) as [{ affectedRows: number }];
  return result.affectedRows;
}

async function select(database: Database, knex: Database["knex"], { sql, bindings }: Statement): Promise<Row[]> {
  if (database.dialect === "sqlite") return (await knex.raw(sql, bindings as never)) as Row[];
  const [found] = (await knex.raw(sql, bindings as never).timeout(STATEMENT_TIMEOUT_MS)) as [Row[]];
  return found;
}
