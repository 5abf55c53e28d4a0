import type { Migration } from "../migration.ts";
import { big, createTable, int, key } from "../table.ts";

/** The name of a row in `claims`. The replica that has this claim compares the sums of past days. */
export const GGR_CLAIM = "ggr-audit";

/**
 * Records for each merchant the days whose sums have been compared, and the replica that compares them. Replicas of the
 * previous release know neither table. Until the last of them has stopped, each of them compares every day itself and
 * raises its own alerts.
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
