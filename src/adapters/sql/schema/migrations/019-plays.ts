import type { Migration } from "../migration.ts";
import { addColumn, key, nullable } from "../table.ts";

/** Adds the win of a Play to its bet. A replica of the previous release does not know the call Play. */
export const plays: Migration = {
  name: "019-plays",
  async up(db, dialect) {
    await addColumn(db, dialect, "tx", "play_win", nullable(key(128)));
  },
};
