import type { Migration } from "../migration.ts";
import { addColumn, addIndex, big, nullable } from "../table.ts";

/**
 * Adds the time until which a merchant's previous secret is accepted (NULL: it is not accepted). A replica of the
 * previous release does not know this column: it accepts only the new secret.
 */
export const secretRotation: Migration = {
  name: "007-secret-rotation",
  async up(db, dialect) {
    await addColumn(db, dialect, "merchants", "rotation_ends_at", nullable(big()));
    await addIndex(db, dialect, "merchants", "rotation_ends_at", ["rotation_ends_at"]);
  },
};
