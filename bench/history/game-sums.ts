import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";
import type { History } from "./kept-history.ts";
import { DAY_MS } from "./plan.ts";

/** Reports of a month, beside the month before, need these days. */
const DAYS = 62;

/**
 * Stores the sums by game, as the nights of a running service do: all days of the busiest merchant, and the last two
 * months of the others. Days that have them are left as they are. The schema must be up to date.
 */
export async function sumGames(url: string, { directory, month }: History): Promise<void> {
  const database = openDatabase(url);
  try {
    const store = new SqlGgrStore(database);
    const end = month.to - (month.to % DAY_MS);
    for (const [rank, { id }] of directory.merchants.entries()) {
      const days = await store.incompleteDays(id, end);
      const from = rank === 0 ? 0 : end - DAYS * DAY_MS;
      await Promise.all(days.filter((day) => day >= from).map((day) => store.sumGames(id, day)));
    }
  } finally {
    await database.close();
  }
}
