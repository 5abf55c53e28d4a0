/** Entries of the audit log as rows, and the statements that write and read them. */
import type { Knex } from "knex";
import type { AuditEntry, AuditQuery, NewAuditEntry } from "../../../ports/admin-store.ts";
import { insertRows } from "../connection/insert-rows.ts";
import type { Binding, Statement } from "../connection/statement.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { textOf } from "../schema/columns.ts";

export interface AuditRow {
  readonly id: string | bigint;
  readonly at: string | bigint;
  readonly actor: string;
  readonly action: string | Buffer;
  readonly target: string;
  readonly reason: string | null;
  /** The changes, as JSON. */
  readonly details: string;
}

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

export const auditFromRow = (row: AuditRow): AuditEntry => ({
  id: BigInt(row.id),
  at: Number(row.at),
  actor: row.actor,
  action: textOf(row.action),
  target: row.target,
  reason: row.reason,
  changes: JSON.parse(row.details),
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
