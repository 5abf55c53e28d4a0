import type { Migration } from "../migration.ts";
import { addColumn, big, bytes, createTable, int, key, nullable, type Table, tiny } from "../table.ts";

/**
 * One row for each bet, so that one INSERT writes all ids of a slip or none. The row of the first bet (position 0) has
 * the slip's state. In the other rows those columns are NULL.
 */
const SLIPS: Table = {
  name: "slips",
  columns: {
    merchant_id: int(),
    slip_id: key(88),
    position: tiny(),
    // The id that the sportsbook gave the bet.
    tx_id: key(88),
    round_id: key(128),
    amount_minor: big(),
    player_id: nullable(key(512)),
    currency: nullable(key(3)),
    status: nullable(tiny()),
    // For a failed slip: the position of the bet that failed, and its error code (NULL: the bet got no answer).
    failed_at: nullable(tiny()),
    failure: nullable(key(255)),
    lease_token: nullable(bytes(16)),
    // The end of the slip's lease. After this time a replica may continue the slip. NULL: nothing is left to do.
    due_at: nullable(big()),
    created_at: nullable(big()),
  },
  primary: ["merchant_id", "slip_id", "position"],
  unique: { tx: ["merchant_id", "tx_id"] },
  indexes: { due: ["due_at"] },
};

/**
 * Adds slips, the end of sessions, and the token of the call that used a launch token (NULL: it was used before this
 * migration).
 */
export const sportsbook: Migration = {
  name: "003-sportsbook",
  async up(db, dialect) {
    await createTable(db, dialect, SLIPS);
    await addColumn(db, dialect, "sessions", "ended_at", nullable(big()));
    await addColumn(db, dialect, "jtis", "fence", nullable(bytes(16)));
  },
};
