import { ALERT_BYTES_MAX } from "../../../../ports/transactions/alert-store.ts";
import type { Migration } from "../migration.ts";
import { big, createTable, key, nullable } from "../table.ts";

/** Adds the open alerts. A replica of the previous release records none. */
export const alerts: Migration = {
  name: "013-alerts",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "alerts",
      columns: {
        name: key(64),
        subject: key(ALERT_BYTES_MAX.subject),
        first_at: big(),
        last_at: big(),
        // When it closes; NULL: not by time.
        ends_at: nullable(big()),
        occurrences: big(),
        tx_id: key(ALERT_BYTES_MAX.txId),
        detail: key(ALERT_BYTES_MAX.detail),
        replica: key(ALERT_BYTES_MAX.replica),
      },
      primary: ["name", "subject"],
      indexes: { last: ["last_at", "name", "subject"], ends: ["ends_at"] },
    });
  },
};
