import type { AttemptResult } from "../../../../contract/wallet/results.ts";
import type { ListedTransaction } from "../../../ports/transactions/transaction-reader.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer } from "../connection/statement.ts";
import type { GameRefs } from "../transactions/game-refs.ts";
import { COLUMNS, toTransaction } from "../transactions/rows.ts";

/** The transactions with these row numbers, in this order. Row numbers without a row are left out. */
export async function listedRows(
  database: Database,
  games: GameRefs,
  ids: readonly bigint[],
): Promise<ListedTransaction[]> {
  if (ids.length === 0) return [];
  const columns = [...COLUMNS, "id", "last_result"].join(", ");
  const found = await selectedRows(database, {
    sql: `SELECT ${columns}, ${database.dialect.sql.nowMs} AS read_at FROM tx WHERE id IN (${ids.map(() => "?").join(", ")})`,
    bindings: ids,
  });
  await games.load(found.map((row) => Number(row.game_id)));
  const byId = new Map(found.map((row) => [integer(row.id), row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined
      ? []
      : [{ id, transaction: toTransaction(row, games), lastResult: row.last_result as AttemptResult | null }];
  });
}
