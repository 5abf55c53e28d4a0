import { big, createTable, int, key } from "../table.ts";
import type { Migration } from "./migration.ts";

/** The name of the row in `claims` that is held by the replica which folds past days again. */
export const GGR_CLAIM = "ggr-audit";

/**
 * Records the days that were folded again per merchant, and the replica that does so. Replicas of the previous release
 * know neither table: until the last of them has ended, each of them folds every day by itself and gives its own
 * alerts.
 */
export const ggrAudits: Migration = {
  name: "006-ggr-audits",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "claims",
      columns: { name: key(64), holder: key(64), held_until: big() },
      primary: ["name"],
    });
    await createTable(db, dialect, {
      name: "ggr_audits",
      columns: { merchant_id: int(), day: big() },
      primary: ["merchant_id"],
    });
    await db("claims").insert({ name: GGR_CLAIM, holder: "", held_until: 0 }).onConflict("name").ignore();
  },
};
