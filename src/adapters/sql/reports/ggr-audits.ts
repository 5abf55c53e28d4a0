import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { GgrAudits } from "../../../ports/transactions/ggr-audits.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/execute.ts";
import { GGR_CLAIM } from "../schema/migrations/006-ggr-audits.ts";

/**
 * Only the replica that holds the claim compares the sums of past days. The claim is one row of the table `claims`,
 * which a replica takes by compare-and-set. The table `ggr_audits` has a row for each merchant with the last day that
 * was compared.
 */
export class SqlGgrAudits extends GgrAudits {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  /**
   * Reads the holder after the statement. The number of changed rows proves nothing if a lost connection made the
   * statement run twice.
   */
  override async claim(holder: string, forMs: number): Promise<DbTime | null> {
    const { nowMs } = this.#database.dialect.sql;
    await write(this.#database, {
      sql: `UPDATE claims SET holder = ?, held_until = ${nowMs} + ? WHERE name = ? AND (holder = ? OR held_until <= ${nowMs})`,
      bindings: [holder, forMs, GGR_CLAIM, holder],
    });
    const [found] = await decisiveRows(this.#database, {
      sql: `SELECT ${nowMs} AS now_ms FROM claims WHERE name = ? AND holder = ? AND held_until > ${nowMs}`,
      bindings: [GGR_CLAIM, holder],
    });
    return found === undefined ? null : Number(found.now_ms);
  }

  override async release(holder: string): Promise<void> {
    await write(this.#database, {
      sql: "UPDATE claims SET held_until = 0 WHERE name = ? AND holder = ?",
      bindings: [GGR_CLAIM, holder],
    });
  }

  override async audited(day: DbTime): Promise<ReadonlySet<number>> {
    const found = await decisiveRows(this.#database, {
      sql: "SELECT merchant_id FROM ggr_audits WHERE day >= ?",
      bindings: [day],
    });
    return new Set(found.map((row) => Number(row.merchant_id)));
  }

  override async record(merchantId: number, day: DbTime): Promise<void> {
    const { updateExisting, greatest, inserted } = this.#database.dialect.sql;
    const update = `${updateExisting("merchant_id")} day = ${greatest}(day, ${inserted("day")})`;
    await write(this.#database, {
      sql: `INSERT INTO ggr_audits (merchant_id, day) VALUES (?, ?) ${update}`,
      bindings: [merchantId, day],
    });
  }
}
