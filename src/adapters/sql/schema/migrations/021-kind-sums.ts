import type { Migration } from "../migration.ts";
import { addColumn, big, createTable, int, nullable, tiny } from "../table.ts";

/**
 * Adds the sums by kind, hour and game. A replica of the previous release adds none, so the service adds those of its
 * changes later: `kind_seq` is the merchant's last number up to which all are added. Earlier changes have no kinds.
 */
export const kindSums: Migration = {
  name: "021-kind-sums",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "ggr_kind",
      columns: {
        merchant_id: int(),
        hour: big(),
        game_id: int(),
        action: tiny(),
        kind: tiny(),
        provider_id: int(),
        type: tiny(),
        tx_count: big(),
        sum_minor: big(),
      },
      primary: ["merchant_id", "hour", "game_id", "action", "kind"],
    });
    await addColumn(db, dialect, "feed_head", "kind_seq", nullable(big()));
    await db("feed_head")
      .whereNull("kind_seq")
      .update({ kind_seq: db.ref("seq") });
  },
};
