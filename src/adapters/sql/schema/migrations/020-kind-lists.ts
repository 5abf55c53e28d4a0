import type { Migration } from "../migration.ts";
import { big, createTable, int, tiny } from "../table.ts";

/**
 * Adds a list of the transactions that have a kind. A transaction without a kind has no row in it, but would have an
 * entry in an index of `tx`. A replica of the previous release lists none. The catch-up of step 021 lists its changes
 * later.
 */
export const kindLists: Migration = {
  name: "020-kind-lists",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "kinds",
      // No name is that of a column of `tx`, so a join needs no aliases.
      columns: { listed_merchant: int(), listed_kind: tiny(), listed_at: big(), listed_tx: big() },
      primary: ["listed_merchant", "listed_kind", "listed_at", "listed_tx"],
    });
  },
};
