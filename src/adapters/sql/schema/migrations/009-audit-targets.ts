import type { Migration } from "../migration.ts";
import { addIndex } from "../table.ts";

/** Adds an index that finds the audit entries about one record among millions of entries. */
export const auditTargets: Migration = {
  name: "009-audit-targets",
  up: (db, dialect) => addIndex(db, dialect, "audit", "target", ["target"]),
};
