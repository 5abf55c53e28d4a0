import type { Migration } from "../migration.ts";
import { big, createTable, int, tiny } from "../table.ts";

/**
 * Adds the sums by game and day. The first nightly round after the update fills them from the history; until then
 * reports by game read the transactions. Replicas of the previous release neither read nor write the table.
 */
export const gameSums: Migration = {
  name: "015-game-sums",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "ggr_game",
      columns: { merchant_id: int(), day: big(), game_id: int(), action: tiny(), tx_count: big(), sum_minor: big() },
      primary: ["merchant_id", "day", "game_id", "action"],
    });
  },
};
