import type { Migration } from "../migration.ts";
import { addColumn, big, nullable } from "../table.ts";

/** Adds the time when a provider, and so all its games, became active or inactive (NULL: before this migration). */
export const catalog: Migration = {
  name: "004-catalog",
  async up(db, dialect) {
    await addColumn(db, dialect, "providers", "active_changed_at", nullable(big()));
  },
};
