import type { Knex } from "knex";
import type { NewAuditEntry } from "../../../ports/admin-store.ts";
import { type ResolveLine, TransactionSupport } from "../../../ports/transactions/transaction-support.ts";
import type { Database } from "../connection/database.ts";
import { changedIn, inTransaction } from "../connection/database-transaction.ts";
import { decisiveRows } from "../connection/execute.ts";
import { repeating } from "../connection/retry.ts";
import { insertAudit } from "../settings/audit-rows.ts";

/** Lets support resolve a pending row of `tx`, with an audit entry in the same transaction. */
export class SqlTransactionSupport extends TransactionSupport {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean> {
    try {
      await repeating(this.#database.dialect, () =>
        inTransaction(this.#database, (db) => this.#resolve(db, line, audit)),
      );
      return true;
    } catch (cause) {
      if (!(cause instanceof NotAsSeen)) throw cause;
      // An earlier try may have stored this line and lost its answer.
      const sql = "SELECT lease_token FROM tx WHERE merchant_id = ? AND tx_id = ?";
      const [now] = await decisiveRows(this.#database, { sql, bindings: [line.key.merchantId, line.key.txId] });
      return (now?.lease_token as Buffer | undefined)?.toString("hex") === line.token;
    }
  }

  async #resolve(db: Knex.Transaction, line: ResolveLine, audit: NewAuditEntry): Promise<void> {
    const { dialect } = this.#database;
    const changed = await changedIn(dialect, db, dialect.transactions.resolve(line));
    const isAlone = line.win === undefined && (line.reversed?.change ?? null) === null;
    if (changed !== (isAlone ? 1 : 2)) throw new NotAsSeen();
    await insertAudit(db, dialect, [audit]);
  }
}

/** Rolls the transaction back: a row has changed since it was read. */
class NotAsSeen extends Error {
  override readonly name = "NotAsSeen";
}
