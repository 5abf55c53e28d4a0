import { addColumn, big, nullable } from "../table.ts";
import type { Migration } from "./migration.ts";

/** When a provider came or went (NULL: before this was kept): then all its games became active or inactive for merchants. */
export const catalog: Migration = {
  name: "004-catalog",
  async up(db, dialect) {
    await addColumn(db, dialect, "providers", "active_changed_at", nullable(big()));
  },
};
