import type { Migration } from "../migration.ts";
import { addColumn, big, createTable, int, key, nullable, tiny } from "../table.ts";

/**
 * Adds the rounds of providers that end their rounds, since when a provider does so (NULL: it never has), and whether a
 * transaction ends its round. A replica of the previous release ignores the ends, and stores no open rounds.
 */
export const rounds: Migration = {
  name: "018-rounds",
  async up(db, dialect) {
    await createTable(db, dialect, {
      name: "rounds",
      columns: {
        merchant_id: int(),
        provider_id: int(),
        round_id: key(128),
        opened_at: big(),
        // NULL: the round is open.
        ended_at: nullable(big()),
      },
      primary: ["merchant_id", "provider_id", "round_id"],
      indexes: { list: ["merchant_id", "ended_at", "opened_at", "provider_id", "round_id"] },
    });
    await addColumn(db, dialect, "providers", "ends_rounds_since", nullable(big()));
    await addColumn(db, dialect, "tx", "round_ended", nullable(tiny()));
  },
};
