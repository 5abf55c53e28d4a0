import type { Migration } from "../migration.ts";
import { addColumn, bytes, createTable, nullable, type Table, tiny } from "../table.ts";

/** The progress of replacing stored session ids by their hashes: one row with the id that was reached last. */
const PROGRESS: Table = { name: "session_hashing", columns: { id: tiny(), position: bytes(16) }, primary: ["id"] };

/**
 * Lets sessions be stored by the hash of their id. `sessions.hashed`: 1 if the column `id` has the hash, NULL if it has
 * the id itself, as the previous release stores it. `heartbeats.schema_step`: the last migration that the replica
 * knows, NULL for the previous release. No id is replaced while a replica runs that searches for the id itself.
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
