import type { Migration } from "../migration.ts";
import { addColumn, key, nullable } from "../table.ts";

/**
 * Adds a merchant's jurisdiction (NULL: not told). A replica of the previous release does not know this column: it keeps
 * the value, and tells no provider of it.
 */
export const jurisdiction: Migration = {
  name: "022-jurisdiction",
  up: (db, dialect) => addColumn(db, dialect, "merchants", "jurisdiction", nullable(key(6))),
};
