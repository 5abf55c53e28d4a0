import { addIndex } from "../table.ts";
import type { Migration } from "./migration.ts";

/** Adds an index by which the entries about one record are found among millions. */
export const auditTargets: Migration = {
  name: "009-audit-targets",
  up: (db, dialect) => addIndex(db, dialect, "audit", "target", ["target"]),
};
