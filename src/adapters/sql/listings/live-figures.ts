import type { DbTime } from "../../../domain/transaction/transaction.ts";
import {
  type Activity,
  type HourFigures,
  LiveFigures,
  PENDING_SUMMED_MAX,
  type PendingFigures,
} from "../../../ports/transactions/live-figures.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import type { Row } from "../connection/statement.ts";
import { ACTION, actionOf, STATUS } from "../schema/codes.ts";

/** The number of merchants in one statement. */
const MERCHANTS_AT_ONCE = 64;

/**
 * Reads the figures of the console's page Today. Hours come from the hourly sums. Rows of the last minutes are found by
 * the index of creation times, and pending rows by the index of due times.
 */
export class SqlLiveFigures extends LiveFigures {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override hours(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<HourFigures[]> {
    return this.#each(merchantIds, async (some) => {
      const rows = await selectedRows(this.#database, {
        sql: `SELECT merchant_id, hour, action, SUM(tx_count) AS n, SUM(sum_minor) AS minor FROM ggr_hour
          WHERE merchant_id IN (${marks(some)}) AND hour >= ? AND hour < ? GROUP BY merchant_id, hour, action`,
        bindings: [...some, from, to],
      });
      return rows.map((row) => ({
        merchantId: Number(row.merchant_id),
        hour: Number(row.hour),
        action: actionOf(row.action),
        count: Number(row.n),
        sumMinor: integer(row.minor),
      }));
    });
  }

  override activity(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<Activity[]> {
    const list = this.#database.dialect.sql.byIndex("list");
    return this.#each(merchantIds, async (some) => {
      const rows = await selectedRows(this.#database, {
        sql: `SELECT merchant_id, SUM(CASE WHEN action = ${ACTION.bet} THEN 1 ELSE 0 END) AS bets,
            COUNT(DISTINCT player_id) AS players FROM tx ${list}
          WHERE merchant_id IN (${marks(some)}) AND created_at >= ? AND created_at < ? AND status <> ${STATUS.void}
          GROUP BY merchant_id`,
        bindings: [...some, from, to],
      });
      return rows.map((row) => ({
        merchantId: Number(row.merchant_id),
        bets: Number(row.bets),
        players: Number(row.players),
      }));
    });
  }

  override pending(merchantIds: readonly number[], agesMs: readonly number[]): Promise<PendingFigures[]> {
    const { nowMs, byIndex } = this.#database.dialect.sql;
    const older = (value: string): string => `SUM(CASE WHEN created_at <= ${nowMs} - ? THEN ${value} ELSE 0 END)`;
    const columns = agesMs.map((_, i) => `${older("1")} AS n${i}, ${older("amount_minor")} AS minor${i}`).join(", ");
    return this.#each(merchantIds, async (some) => {
      const latest = some.map(
        (_, i) => `SELECT * FROM (SELECT merchant_id, created_at, amount_minor FROM tx ${byIndex("due")}
          WHERE merchant_id = ? AND next_at >= 0 ORDER BY next_at DESC LIMIT ?) m${i}`,
      );
      const rows = await selectedRows(this.#database, {
        sql: `SELECT merchant_id, ${columns} FROM (${latest.join(" UNION ALL ")}) w GROUP BY merchant_id`,
        bindings: [...agesMs.flatMap((age) => [age, age]), ...some.flatMap((id) => [id, PENDING_SUMMED_MAX])],
      });
      return rows.map((row) => ({
        merchantId: Number(row.merchant_id),
        ages: agesMs.map((_, i) => ({ count: Number(row[`n${i}`]), sumMinor: integer(row[`minor${i}`]) })),
      }));
    });
  }

  async #each<T>(merchantIds: readonly number[], read: (some: readonly number[]) => Promise<T[]>): Promise<T[]> {
    const all: T[] = [];
    for (let from = 0; from < merchantIds.length; from += MERCHANTS_AT_ONCE)
      all.push(...(await read(merchantIds.slice(from, from + MERCHANTS_AT_ONCE))));
    return all;
  }
}

const marks = (values: readonly unknown[]): string => values.map(() => "?").join(", ");
const integer = (value: Row[string]): bigint => BigInt(String(value));
