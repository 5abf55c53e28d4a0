import type { Migration } from "../migration.ts";
import { big, createTable, key } from "../table.ts";

/**
 * Adds the sessions of the console. A replica of the previous release does not know them: it accepts only admin keys.
 */
export const consoleSessions: Migration = {
  name: "008-console-sessions",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "console_sessions",
      columns: { id_hash: key(64), key_hash: key(64), role: key(16), expires_at: big(), used_at: big() },
      primary: ["id_hash"],
    });
  },
};
