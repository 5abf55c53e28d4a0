import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";
import type { History } from "./kept-history.ts";
import { DAY_MS } from "./plan.ts";

/** Stores the busiest merchant's sums by game, as the first night with a history does. The schema must be up to date. */
export async function sumBusiest(url: string, { directory, month }: History): Promise<void> {
  const id = directory.merchants[0]?.id ?? 0;
  const database = openDatabase(url);
  try {
    const store = new SqlGgrStore(database);
    for (const day of await store.incompleteDays(id, month.to - (month.to % DAY_MS))) await store.sumGames(id, day);
  } finally {
    await database.close();
  }
}
