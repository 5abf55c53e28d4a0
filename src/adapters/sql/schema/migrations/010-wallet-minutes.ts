import type { Migration } from "../migration.ts";
import { big, createTable, int, key, nullable, tiny } from "../table.ts";

/** Adds the sums of wallet calls by minute and by hour. A replica of the previous release stores no such sums. */
export const walletMinutes: Migration = {
  name: "010-wallet-minutes",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "wallet_minutes",
      columns: {
        merchant_id: int(),
        span: tiny(),
        at: big(),
        replica: key(64),
        calls: key(128),
        // At most 65 buckets with their counts.
        durations: key(1024),
        permits_held: int(),
        permits: int(),
        breaker_permits: nullable(int()),
      },
      primary: ["merchant_id", "span", "at", "replica"],
      indexes: { at: ["at"] },
    });
  },
};
