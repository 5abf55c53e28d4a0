import type { Migration } from "../migration.ts";
import { addColumn, big, key, nullable, tiny } from "../table.ts";

/**
 * Adds the labels of bets and wins. A replica of the previous release ignores these fields of a request, and sends the
 * callbacks of such a transaction without them.
 */
export const kinds: Migration = {
  name: "017-kinds",
  async up(db, dialect) {
    await addColumn(db, dialect, "tx", "kind", nullable(tiny()));
    await addColumn(db, dialect, "tx", "promo_id", nullable(key(128)));
    await addColumn(db, dialect, "tx", "jackpot_id", nullable(key(128)));
    await addColumn(db, dialect, "tx", "jackpot_tier", nullable(key(64)));
    await addColumn(db, dialect, "tx", "jackpot_micros", nullable(big()));
  },
};
