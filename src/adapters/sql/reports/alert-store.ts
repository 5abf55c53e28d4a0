import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { NewAuditEntry } from "../../../ports/admin-store.ts";
import { ALERTS, type AlertName } from "../../../ports/telemetry.ts";
import { type AlertKey, type AlertLine, AlertStore, type OpenAlert } from "../../../ports/transactions/alert-store.ts";
import { chunks } from "../connection/chunks.ts";
import type { Database } from "../connection/database.ts";
import { deleteRows, selectedRows, write } from "../connection/execute.ts";
import { marks, type Row, type Statement } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";
import { changeWithAudit } from "../settings/audit-rows.ts";

/** The number of rows in one statement. */
const ROWS_AT_ONCE = 100;
const COLUMNS = "name, subject, first_at, last_at, occurrences, tx_id, detail, replica";

/** Open alerts in a table, one row for each name and subject. */
export class SqlAlertStore extends AlertStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async add(lines: readonly AlertLine[]): Promise<void> {
    const { nowMs, updateExisting, inserted, greatest } = this.#database.dialect.sql;
    const newest = ["ends_at", "tx_id", "detail", "replica"].map((column) => `${column} = ${inserted(column)}`);
    for (const some of chunks([...lines].sort(inOrder), ROWS_AT_ONCE)) {
      const values = some.map(
        ({ lastsMs }) =>
          `(?, ?, ${nowMs} - ?, ${nowMs} - ?, ?, ?, ?, ?, ${lastsMs === null ? "NULL" : `${nowMs} + ${lastsMs}`})`,
      );
      await write(this.#database, {
        sql: `INSERT INTO alerts (${COLUMNS}, ends_at) VALUES ${values.join(", ")} ${updateExisting("name, subject")}
          last_at = ${greatest}(alerts.last_at, ${inserted("last_at")}),
          occurrences = alerts.occurrences + ${inserted("occurrences")}, ${newest.join(", ")}`,
        bindings: some.flatMap(({ name, subject, firstAgoMs, lastAgoMs, count, txId, detail, replica }) => [
          ...[name, subject, firstAgoMs, lastAgoMs, count, txId, detail, replica],
        ]),
      });
    }
  }

  override async extend(keys: readonly AlertKey[], lastsMs: number): Promise<void> {
    for (const [name, own] of Map.groupBy(keys, (key) => key.name))
      for (const some of chunks([...own].sort(inOrder), ROWS_AT_ONCE))
        await write(this.#database, {
          sql: `UPDATE alerts SET ends_at = ${this.#database.dialect.sql.nowMs} + ? WHERE name = ?
            AND subject IN (${marks(some)})`,
          bindings: [lastsMs, name, ...some.map(({ subject }) => subject)],
        });
  }

  override async list(limit: number): Promise<OpenAlert[]> {
    // The condition is always true. It makes the database read the index from its end.
    const sql = `SELECT ${COLUMNS} FROM alerts WHERE last_at > 0 ORDER BY last_at DESC, name DESC, subject DESC LIMIT ?`;
    return openAlerts(await selectedRows(this.#database, { sql, bindings: [limit] }));
  }

  override async quiet(name: AlertName, quietMs: number, after: string, limit: number): Promise<OpenAlert[]> {
    const { nowMs } = this.#database.dialect.sql;
    const sql = `SELECT ${COLUMNS} FROM alerts WHERE name = ? AND subject > ? AND last_at <= ${nowMs} - ?
      ORDER BY subject LIMIT ?`;
    return openAlerts(await selectedRows(this.#database, { sql, bindings: [name, after, quietMs, limit] }));
  }

  override async close(key: AlertKey, lastAt: DbTime): Promise<void> {
    await write(this.#database, closing(key, lastAt));
  }

  override acknowledge(key: AlertKey, lastAt: DbTime, audit: NewAuditEntry): Promise<boolean> {
    return changeWithAudit(this.#database, closing(key, lastAt), audit);
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "alerts", (now) => `ends_at <= ${now}`, limit);
  }
}

const closing = ({ name, subject }: AlertKey, lastAt: DbTime): Statement => ({
  sql: "DELETE FROM alerts WHERE name = ? AND subject = ? AND last_at <= ?",
  bindings: [name, subject, lastAt],
});

/** Replicas lock the rows in the same order. */
const inOrder = (a: AlertKey, b: AlertKey): number => (`${a.name} ${a.subject}` < `${b.name} ${b.subject}` ? -1 : 1);

/** A replica of a newer release may store alerts that this one does not know. They are left out. */
const openAlerts = (rows: readonly Row[]): OpenAlert[] =>
  rows.flatMap((row) => {
    const text = (column: string): string => textOf(row[column]);
    const name = ALERTS.find((one) => one === text("name"));
    return name === undefined
      ? []
      : [
          {
            name,
            subject: text("subject"),
            firstAt: Number(row.first_at),
            lastAt: Number(row.last_at),
            count: Number(row.occurrences),
            txId: text("tx_id"),
            detail: text("detail"),
            replica: text("replica"),
          },
        ];
  });
