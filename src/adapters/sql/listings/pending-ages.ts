import { PENDING_COUNTED_MAX, PendingAges, type PendingCount } from "../../../ports/transactions/pending-ages.ts";
import type { Database } from "../connection/database.ts";
import { rows, type Statement } from "../connection/statement.ts";
import { jsonLines } from "../dialects/sqlite/json-lines.ts";
import { nowMs } from "../schema/columns.ts";

/** Merchants asked for in one statement. */
const MERCHANTS_AT_ONCE = 64;

/** A bounded walk along each merchant's index of due times, from its end, where those are that nobody resends. A row has a due time exactly while it waits. */
export class SqlPendingAges extends PendingAges {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async count(merchantIds: readonly number[], agesMs: readonly number[], stop: AbortSignal): Promise<PendingCount[]> {
    const counts: PendingCount[] = [];
    for (let from = 0; from < merchantIds.length && !stop.aborted; from += MERCHANTS_AT_ONCE) {
      const found = await rows(this.#database, this.#statement(merchantIds.slice(from, from + MERCHANTS_AT_ONCE), agesMs));
      for (const row of found) counts.push({ merchantId: Number(row.merchant_id), counts: agesMs.map((_, i) => Number(row[`older${i}`])) });
    }
    return counts;
  }

  #statement(merchantIds: readonly number[], agesMs: readonly number[]): Statement {
    const { dialect } = this.#database;
    const older = agesMs.map((_, i) => `SUM(CASE WHEN created_at <= ${nowMs(dialect)} - ? THEN 1 ELSE 0 END) AS older${i}`).join(", ");
    if (dialect === "sqlite") {
      return {
        sql: `SELECT merchant_id, ${older} FROM json_each(?) n JOIN tx ON tx.id IN (
          SELECT w.id FROM tx w WHERE w.merchant_id = n.value ->> 0 AND w.next_at >= 0 ORDER BY w.next_at DESC LIMIT ?) GROUP BY merchant_id`,
        bindings: [...agesMs, jsonLines(merchantIds.map((id) => [id])), PENDING_COUNTED_MAX],
      };
    }
    const walk = "(SELECT merchant_id, created_at FROM tx FORCE INDEX (tx_due) WHERE merchant_id = ? AND next_at >= 0 ORDER BY next_at DESC LIMIT ?)";
    return {
      sql: `SELECT merchant_id, ${older} FROM (${merchantIds.map(() => walk).join(" UNION ALL ")}) w GROUP BY merchant_id`,
      bindings: [...agesMs, ...merchantIds.flatMap((id) => [id, PENDING_COUNTED_MAX])],
    };
  }
}
