import type { Migration } from "../migration.ts";
import { addColumn, addIndex, longText, nullable } from "../table.ts";

/** Adds the limits of single merchants (JSON; NULL: no own limits), and an index of audit entries by their target. */
export const administration: Migration = {
  name: "002-administration",
  async up(db, dialect) {
    await addColumn(db, dialect, "merchants", "limits", nullable(longText()));
    await addIndex(db, dialect, "audit", "target", ["target", "id"]);
  },
};
