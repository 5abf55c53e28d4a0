import { PENDING_COUNTED_MAX, PendingAges, type PendingCount } from "../../../ports/transactions/pending-ages.ts";
import { chunks } from "../connection/chunks.ts";
import type { Database } from "../connection/database.ts";
import { rows } from "../connection/execute.ts";
import type { Statement } from "../connection/statement.ts";

/** The number of merchants in one statement. */
const MERCHANTS_AT_ONCE = 64;

/**
 * Counts a limited number of rows of each merchant, from the end of the index of due times. Rows that the service never
 * resends are at this end. A row has a due time exactly while it is pending.
 */
export class SqlPendingAges extends PendingAges {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async count(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    stop: AbortSignal,
  ): Promise<PendingCount[]> {
    const counts: PendingCount[] = [];
    for (const some of chunks(merchantIds, MERCHANTS_AT_ONCE)) {
      if (stop.aborted) break;
      for (const row of await rows(this.#database, this.#statement(some, agesMs)))
        counts.push({ merchantId: Number(row.merchant_id), counts: agesMs.map((_, i) => Number(row[`older${i}`])) });
    }
    return counts;
  }

  #statement(merchantIds: readonly number[], agesMs: readonly number[]): Statement {
    const { dialect } = this.#database;
    const older = agesMs
      .map((_, i) => `SUM(CASE WHEN created_at <= ${dialect.sql.nowMs} - ? THEN 1 ELSE 0 END) AS older${i}`)
      .join(", ");
    const due = dialect.latestDue(merchantIds, PENDING_COUNTED_MAX);
    return {
      sql: `SELECT merchant_id, ${older} FROM ${due.sql} GROUP BY merchant_id`,
      bindings: [...agesMs, ...due.bindings],
    };
  }
}
