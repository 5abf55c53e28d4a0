/** Entries of the audit log as rows, and the statements that write and read them. */
import type { Knex } from "knex";
import type { AuditEntry, AuditQuery, NewAuditEntry } from "../../../ports/admin-store.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "../connection/database.ts";
import { changedIn, inTransaction } from "../connection/database-transaction.ts";
import { insertRows } from "../connection/insert-rows.ts";
import { repeating } from "../connection/retry.ts";
import { type Binding, integer, type Row, type Statement } from "../connection/statement.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { textOf, textOrNull } from "../schema/columns.ts";

/** Writes entries in the caller's transaction. */
export const insertAudit = (db: Knex, dialect: Dialect, entries: readonly NewAuditEntry[]): Promise<void> =>
  insertRows(db, dialect, {
    table: "audit",
    columns: ["actor", "action", "target", "reason", "details"],
    rows: entries.map(({ actor, action, target, reason, changes }) => [
      ...[actor, action, target, reason],
      JSON.stringify(changes),
    ]),
    same: { at: dialect.sql.nowMs },
  });

/**
 * Runs a statement that changes at most one row, and writes the entry in the same transaction. `false`: no row changed,
 * and nothing was written. Throws StoreUnavailable.
 */
export const changeWithAudit = (database: Database, statement: Statement, entry: NewAuditEntry): Promise<boolean> =>
  repeating(
    database.dialect,
    () =>
      inTransaction(database, async (db) => {
        const isChanged = (await changedIn(database.dialect, db, statement)) === 1;
        if (isChanged) await insertAudit(db, database.dialect, [entry]);
        return isChanged;
      }),
    // A second try would not find the row as the first one found it.
    () => {
      throw new StoreUnavailable("nobody knows whether the change was stored");
    },
  );

export const auditFromRow = (row: Row): AuditEntry => ({
  id: integer(row.id),
  at: Number(row.at),
  actor: textOf(row.actor),
  action: textOf(row.action),
  target: textOf(row.target),
  reason: textOrNull(row.reason),
  changes: JSON.parse(textOf(row.details)),
});

export function auditQuery(
  { from, to, actor, action, target, before }: AuditQuery,
  limit: number,
  { isExactly }: SqlFragments,
): Statement {
  const conditions: string[] = [];
  const bindings: Binding[] = [];
  const where = (sql: string, ...values: readonly Binding[]): void => {
    conditions.push(sql);
    bindings.push(...values);
  };
  if (before !== undefined) where("id < ?", before);
  if (from !== undefined) where("at >= ?", from);
  if (to !== undefined) where("at < ?", to);
  if (actor !== undefined) where(isExactly("actor"), actor, actor);
  if (target !== undefined) where(isExactly("target"), target, target);
  // From `merchant ` until before `merchant!`: all actions on merchants, because `!` follows the space in the order of
  // characters.
  if (action !== undefined) where("(action = ? OR (action >= ? AND action < ?))", action, `${action} `, `${action}!`);
  const sql = `SELECT * FROM audit ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`} ORDER BY id DESC LIMIT ?`;
  return { sql, bindings: [...bindings, limit] };
}
