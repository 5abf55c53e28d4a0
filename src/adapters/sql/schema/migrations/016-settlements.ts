import type { Migration } from "../migration.ts";
import { addColumn, key, nullable, tiny } from "../table.ts";

/**
 * Adds the bet that a win names, whether the win settles it, and the win that has settled a bet. A replica of the
 * previous release ignores these fields of a request.
 */
export const settlements: Migration = {
  name: "016-settlements",
  async up(db, dialect) {
    await addColumn(db, dialect, "tx", "bet_tx_id", nullable(key(128)));
    await addColumn(db, dialect, "tx", "settles", nullable(tiny()));
    await addColumn(db, dialect, "tx", "settled_by", nullable(key(128)));
  },
};
