import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import type { Replica } from "../../testbed/service/replica.ts";

/** A fault of the present release. It replaces what the release does. */
export interface Plant {
  /** The upgrade ends after this many phases. The last of them must have failed calls. */
  readonly phases?: number;
  /** The stop of a replica. */
  readonly stop?: (replica: Replica) => Promise<unknown>;
  /** A further step of the migration. */
  readonly migrate?: (database: Database) => Promise<unknown>;
}

/** Shorter than the balancer needs to see that a replica does not answer. */
const STANDS_STILL_MS = 3_000;

/** With each of these faults, the upgrade must report failed calls. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  /** A replica stands still at once, with its calls, and its connections break later. The balancer repeats only some. */
  "lost-calls": {
    phases: 3,
    stop: async (replica) => {
      replica.pause();
      await sleep(STANDS_STILL_MS);
      await replica.kill();
    },
  },
  /** A column that the last release writes gets another name. */
  "renamed-column": {
    phases: 2,
    migrate: ({ knex }) => knex.raw("ALTER TABLE tx RENAME COLUMN round_id TO game_round"),
  },
};
