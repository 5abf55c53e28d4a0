import { addColumn, big, nullable } from "../table.ts";
import type { Migration } from "./migration.ts";

/**
 * Adds the time when a provider became active or inactive, and with it all its games for merchants (NULL: before this
 * migration).
 */
export const catalog: Migration = {
  name: "004-catalog",
  async up(db, dialect) {
    await addColumn(db, dialect, "providers", "active_changed_at", nullable(big()));
  },
};
