import type { AttemptResult } from "../../../../contract/wallet/results.ts";
import type { ListedTransaction } from "../../../ports/transactions/transaction-reader.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer, marks, type Row } from "../connection/statement.ts";
import type { GameRefs } from "../transactions/game-refs.ts";
import { COLUMNS, toTransaction } from "../transactions/rows.ts";

/** The columns that {@link listed} reads, of the table with this alias. A statement adds `read_at`. */
export const listedColumns = (alias: string): string =>
  [...COLUMNS, "id", "last_result"].map((name) => `${alias}.${name}`).join(", ");

/** The transactions of rows of `tx`. */
export async function listed(games: GameRefs, rows: readonly Row[]): Promise<ListedTransaction[]> {
  await games.load(rows.map((row) => Number(row.game_id)));
  return rows.map((row) => ({
    id: integer(row.id),
    transaction: toTransaction(row, games),
    lastResult: row.last_result as AttemptResult | null,
  }));
}

/** The transactions with these row numbers, in this order. Row numbers without a row are left out. */
export async function listedRows(
  database: Database,
  games: GameRefs,
  ids: readonly bigint[],
): Promise<ListedTransaction[]> {
  if (ids.length === 0) return [];
  const sql = `SELECT ${listedColumns("o")}, ${database.dialect.sql.nowMs} AS read_at FROM tx o WHERE o.id IN (${marks(ids)})`;
  const found = await listed(games, await selectedRows(database, { sql, bindings: ids }));
  const byId = new Map(found.map((one) => [one.id, one]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
