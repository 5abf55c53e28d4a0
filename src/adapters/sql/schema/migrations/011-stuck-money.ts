import type { Migration } from "../migration.ts";
import { addColumn, big, createTable, int, nullable, tiny } from "../table.ts";

/**
 * Adds the failed credits and contradictions of all merchants. A replica of the previous release notes none. The
 * service then examines its changes later: `stuck_seq` is the merchant's last number up to which all were examined.
 */
export const stuckMoney: Migration = {
  name: "011-stuck-money",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "stuck",
      columns: { tx: big(), kind: tiny(), merchant_id: int(), created_at: big(), is_open: tiny() },
      primary: ["tx", "kind"],
      indexes: { list: ["merchant_id", "kind", "is_open", "created_at", "tx"] },
    });
    await addColumn(db, dialect, "feed_head", "stuck_seq", nullable(big()));
  },
};
