import { addColumn, addIndex, big, nullable } from "../table.ts";
import type { Migration } from "./migration.ts";

/**
 * Adds the time until which a merchant's previous secret counts (NULL: it does not). A replica of the previous release
 * does not know it: it takes the new secret only.
 */
export const secretRotation: Migration = {
  name: "007-secret-rotation",
  async up(db, dialect) {
    await addColumn(db, dialect, "merchants", "rotation_ends_at", nullable(big()));
    await addIndex(db, dialect, "merchants", "rotation_ends_at", ["rotation_ends_at"]);
  },
};
