import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { Merchant } from "../../../ports/settings-store.ts";
import { type Activity, type HourFigures, LiveFigures } from "../../../ports/transactions/live-figures.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer, marks } from "../connection/statement.ts";
import { ACTION, actionOf, STATUS } from "../schema/codes.ts";

/**
 * Reads the figures of the console's page Today. Hours come from the hourly sums. Rows of the last minutes are found by
 * the index of creation times.
 */
export class SqlLiveFigures extends LiveFigures {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  /** Makes one statement for each currency, so that few rows are returned however many merchants there are. */
  override async hours(
    merchants: readonly Pick<Merchant, "id" | "currency">[],
    from: DbTime,
    to: DbTime,
  ): Promise<HourFigures[]> {
    const all: HourFigures[] = [];
    for (const [currency, own] of Map.groupBy(merchants, (merchant) => merchant.currency)) {
      const ids = own.map(({ id }) => id);
      const rows = await selectedRows(this.#database, {
        sql: `SELECT hour, action, SUM(tx_count) AS n, SUM(sum_minor) AS minor FROM ggr_hour
          WHERE merchant_id IN (${marks(ids)}) AND hour >= ? AND hour < ? GROUP BY hour, action`,
        bindings: [...ids, from, to],
      });
      for (const row of rows)
        all.push({
          currency,
          hour: Number(row.hour),
          action: actionOf(row.action),
          count: Number(row.n),
          sumMinor: integer(row.minor),
        });
    }
    return all;
  }

  override async activity(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<Activity[]> {
    if (merchantIds.length === 0) return [];
    const rows = await selectedRows(this.#database, {
      sql: `SELECT merchant_id, SUM(CASE WHEN action = ${ACTION.bet} THEN 1 ELSE 0 END) AS bets,
          COUNT(DISTINCT player_id) AS players FROM tx ${this.#database.dialect.sql.byIndex("list")}
        WHERE merchant_id IN (${marks(merchantIds)}) AND created_at >= ? AND created_at < ? AND status <> ${STATUS.void}
        GROUP BY merchant_id`,
      bindings: [...merchantIds, from, to],
    });
    return rows.map((row) => ({
      merchantId: Number(row.merchant_id),
      bets: Number(row.bets),
      players: Number(row.players),
    }));
  }
}
