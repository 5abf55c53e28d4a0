import type { Migration } from "../migration.ts";
import { big, createTable, int, key, nullable, tiny } from "../table.ts";

/** Adds how sources answered launches, by hour. A replica of the previous release stores no such results. */
export const sourceHours: Migration = {
  name: "014-source-hours",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "source_hours",
      columns: {
        provider: key(32),
        address: key(512),
        at: big(),
        replica: key(64),
        opened: int(),
        failed: int(),
        opened_at: nullable(big()),
        opened_ms: int(),
        failed_at: nullable(big()),
        fault: tiny(),
        message: key(512),
      },
      primary: ["provider", "address", "at", "replica"],
      indexes: { at: ["at"] },
    });
  },
};
