import type { Knex } from "knex";
import { PreparedTexts, type Preparing } from "../dialects/mysql/prepared-texts.ts";
import type { Dialect } from "./database.ts";
import type { Row, Statement } from "./statement.ts";

/** What a statement gave: rows of a reading one, the count of a writing one. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly affected: number;
}

/** A server that doesn't answer for this long is treated as a lost connection. */
const TIMEOUT_MS = 4_000;

/**
 * Runs a statement by the driver itself, on a connection of Knex's pool. Knex goes over the text of a raw statement three times for its
 * bindings, half of what a batch costs this process, and has SQLite compile it anew each time.
 */
export async function byDriver(knex: Knex, dialect: Dialect, statement: Statement, timeoutMs = TIMEOUT_MS): Promise<StatementResult> {
  const connection: unknown = await knex.client.acquireConnection();
  try {
    return dialect === "sqlite" ? bySqlite(connection as Sqlite, statement) : await byMysql(connection as Mysql, statement, timeoutMs, preparedBy(knex));
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** The part of mysql2's connection that is used here. */
interface Mysql extends Preparing {
  query: Ask;
  /** Prepares the text unless this connection has it prepared. */
  execute: Ask;
  destroy(): void;
}

type Ask = (
  sql: string,
  bindings: readonly unknown[],
  done: (error: (Error & { errno?: number }) | null, result: Row[] | { affectedRows: number }) => void,
) => void;

/** The server has no room for another prepared statement, has lost this one, or can't prepare it. Nothing ran. */
const NOT_PREPARED = new Set<number | undefined>([1243, 1295, 1461, 1615]);

const preparedTexts = new WeakMap<Knex, PreparedTexts>();

function preparedBy(knex: Knex): PreparedTexts {
  const texts = preparedTexts.get(knex) ?? new PreparedTexts();
  preparedTexts.set(knex, texts);
  return texts;
}

function byMysql(connection: Mysql, { sql, bindings, recurs = false }: Statement, timeoutMs: number, texts: PreparedTexts): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // The pool doesn't take a destroyed connection back. A late answer on it finds nobody.
      connection.destroy();
      reject(Object.assign(new Error(`the database gave no answer within ${timeoutMs} ms`), { code: "PROTOCOL_SEQUENCE_TIMEOUT" }));
    }, timeoutMs);
    const ask = (prepared: boolean): void =>
      connection[prepared ? "execute" : "query"](sql, bindings, (error, result) => {
        if (prepared && NOT_PREPARED.has(error?.errno)) {
          texts.forget(connection, sql);
          return ask(false);
        }
        clearTimeout(timer);
        if (error !== null) reject(error);
        else resolve(Array.isArray(result) ? { rows: result, affected: 0 } : { rows: [], affected: result.affectedRows });
      });
    if (recurs) texts.use(connection, sql);
    ask(recurs);
  });
}

/** The part of better-sqlite3's connection that is used here. */
interface Sqlite {
  prepare(sql: string): Prepared;
}

interface Prepared {
  readonly reader: boolean;
  all(bindings: readonly unknown[]): Row[];
  run(bindings: readonly unknown[]): { changes: number };
}

/** The hot statements have one text each; others may vary with what they are asked. */
const COMPILED_MAX = 64;
const prepared = new WeakMap<Sqlite, Map<string, Prepared>>();

function bySqlite(connection: Sqlite, { sql, bindings }: Statement): StatementResult {
  const statement = compiled(connection, sql);
  return statement.reader ? { rows: statement.all(bindings), affected: 0 } : { rows: [], affected: statement.run(bindings).changes };
}

function compiled(connection: Sqlite, sql: string): Prepared {
  const known = prepared.get(connection) ?? new Map<string, Prepared>();
  prepared.set(connection, known);
  const found = known.get(sql);
  if (found !== undefined) return found;
  if (known.size >= COMPILED_MAX) known.clear();
  const statement = connection.prepare(sql);
  known.set(sql, statement);
  return statement;
}
