import type { Knex } from "knex";
import type { NewAuditEntry } from "../../../ports/admin-store.ts";
import { type ResolveLine, TransactionSupport } from "../../../ports/transactions/transaction-support.ts";
import type { Database } from "../connection/database.ts";
import { inTransaction } from "../connection/database-transaction.ts";
import { insertRows } from "../connection/insert-rows.ts";
import { repeating } from "../connection/retry.ts";
import { decisiveRows } from "../connection/statement.ts";
import { mysqlTransactionStatements } from "../dialects/mysql/transaction-statements.ts";
import { sqliteTransactionStatements } from "../dialects/sqlite/transaction-statements.ts";
import { nowMs } from "../schema/columns.ts";
import { AUDIT_COLUMNS, auditToCells } from "../settings/audit-rows.ts";
import type { TransactionStatements } from "./transaction-statements.ts";

/** Support's hand on the rows of `tx`. */
export class SqlTransactionSupport extends TransactionSupport {
  readonly #database: Database;
  readonly #now: string;
  readonly #statements: Pick<TransactionStatements, "resolve">;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#now = nowMs(database.dialect);
    this.#statements = database.dialect === "mysql" ? mysqlTransactionStatements : sqliteTransactionStatements;
  }

  override async resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean> {
    try {
      await repeating(() => inTransaction(this.#database, (db) => this.#resolve(db, line, audit)));
      return true;
    } catch (cause) {
      if (!(cause instanceof NotAsSeen)) throw cause;
      // It may be this very line, stored by a try whose answer was lost.
      const sql = "SELECT lease_token FROM tx WHERE merchant_id = ? AND tx_id = ?";
      const [now] = await decisiveRows(this.#database, { sql, bindings: [line.key.merchantId, line.key.txId] });
      return (now?.lease_token as Buffer | undefined)?.toString("hex") === line.token;
    }
  }

  async #resolve(db: Knex.Transaction, line: ResolveLine, audit: NewAuditEntry): Promise<void> {
    const { sql, bindings } = this.#statements.resolve(line);
    const result = await db.raw(sql, bindings as never);
    const changed = this.#database.dialect === "mysql" ? result[0].affectedRows : result.changes;
    if (changed !== ((line.reversed?.change ?? null) === null ? 1 : 2)) throw new NotAsSeen();
    await insertRows(db, this.#database.dialect, { table: "audit", columns: AUDIT_COLUMNS, rows: [auditToCells(audit)], same: { at: this.#now } });
  }
}

/** A row is no longer as it was seen: roll back. */
class NotAsSeen extends Error {
  override readonly name = "NotAsSeen";
}
