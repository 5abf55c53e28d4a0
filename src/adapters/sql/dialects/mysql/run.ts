import type { Knex } from "knex";
import type { Row, Statement, StatementResult } from "../../connection/statement.ts";
import { NOT_COMMITTED_CODE, TIMED_OUT_CODE } from "./failures.ts";
import { PreparedTexts, type Preparing } from "./prepared-texts.ts";
import { type Done, isCommitted } from "./session.ts";

/** The part of mysql2's connection that is used here. */
interface Connection extends Preparing {
  query: Send;
  /** Runs the text as a prepared statement. If this connection has not prepared the text yet, it is prepared first. */
  execute: Send;
  destroy(): void;
}

type Send = (
  sql: string,
  bindings: readonly unknown[],
  done: (error: (Error & { errno?: number }) | null, result: Row[] | Done) => void,
) => void;

/**
 * Error codes: the server has no room for another prepared statement, has lost this statement, or can't prepare it.
 * Nothing was run.
 */
const NOT_PREPARED = new Set<number | undefined>([1243, 1295, 1461, 1615]);

const preparedTexts = new WeakMap<Knex, PreparedTexts>();

function preparedBy(knex: Knex): PreparedTexts {
  const texts = preparedTexts.get(knex) ?? new PreparedTexts();
  preparedTexts.set(knex, texts);
  return texts;
}

export function runOnMysql(
  raw: unknown,
  { sql, bindings, recurs = false }: Statement,
  timeoutMs: number,
  knex: Knex,
): Promise<StatementResult> {
  const connection = raw as Connection;
  const texts = preparedBy(knex);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // The pool removes a destroyed connection. A late answer on this connection is ignored.
      connection.destroy();
      reject(Object.assign(new Error(`the database gave no answer within ${timeoutMs} ms`), { code: TIMED_OUT_CODE }));
    }, timeoutMs);
    const send = (prepared: boolean): void =>
      connection[prepared ? "execute" : "query"](sql, bindings, (error, result) => {
        if (prepared && NOT_PREPARED.has(error?.errno)) {
          texts.forget(connection, sql);
          return send(false);
        }
        clearTimeout(timer);
        if (error !== null) reject(error);
        else if (Array.isArray(result)) resolve({ rows: result, affected: 0 });
        else if (isCommitted(result)) resolve({ rows: [], affected: result.affectedRows });
        else {
          // The session is not the one that was prepared. So the server rolls this statement back later.
          connection.destroy();
          reject(Object.assign(new Error("the database did not commit the statement"), { code: NOT_COMMITTED_CODE }));
        }
      });
    if (recurs) texts.use(connection, sql);
    send(recurs);
  });
}
