import { addColumn, bytes, createTable, nullable, type Table, tiny } from "../table.ts";
import type { Migration } from "./migration.ts";

/** How far the stored session ids have been replaced by their hashes: one row. */
const PROGRESS: Table = { name: "session_hashing", columns: { id: tiny(), position: bytes(16) }, primary: ["id"] };

/**
 * Session ids as hashes. `sessions.hashed`: 1 where `id` is the hash, NULL where it is the id itself, as the release before stores it.
 * `heartbeats.schema_step`: the last step that the replica was written for, NULL before this was kept: nobody replaces an id as long as a
 * replica runs that looks for it.
 */
export const sessionHashes: Migration = {
  name: "005-session-hashes",
  async up(db, dialect) {
    await addColumn(db, dialect, "sessions", "hashed", nullable(tiny()));
    await addColumn(db, dialect, "heartbeats", "schema_step", nullable(tiny()));
    await createTable(db, dialect, PROGRESS);
    await db(PROGRESS.name)
      .insert({ id: 1, position: Buffer.alloc(16) })
      .onConflict("id")
      .ignore();
  },
};
