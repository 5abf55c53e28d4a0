import type { Clock } from "../../ports/clock.ts";
import type { Settings } from "../runtime/settings.ts";
import type { BatchedRows } from "../transaction/batched-rows.ts";
import type { Replicas } from "./replicas.ts";

/**
 * A replica is not ready if its last read of the settings is older than this. A database cluster does not answer until
 * it has excluded a dead node. This pause alone must not make every replica unready.
 */
const SETTINGS_MAX_AGE_MS = 8_000;
/**
 * A replica is not ready if all of its claims have failed for this long. One locked row makes all claims of its batch
 * fail, while claims of other batches succeed. So a short series of failures does not count.
 */
const CLAIMS_FAIL_FOR_MS = 2_000;
/**
 * A replica that is not ready gets no requests, so it cannot see that claims succeed again. So it reports itself ready
 * this long after its last failed claim, and tries a claim.
 */
const CLAIMS_TRIED_AFTER_MS = 5_000;

/**
 * Whether this replica should get requests now. Its database must answer reads: the settings' epoch (the number of
 * their last change) is read four times a second. The database must also accept writes: the heartbeat, and the claims
 * of transactions. Claims count too, because a full disk may still have room for the heartbeat. A database node outside
 * its cluster's majority does neither. The state is kept in memory, so a health check needs no query and never waits.
 */
export class Readiness {
  #draining = false;
  readonly #settings: Settings;
  readonly #replicas: Replicas;
  readonly #rows: Pick<BatchedRows, "failing">;
  readonly #clock: Clock;

  constructor(settings: Settings, replicas: Replicas, rows: Pick<BatchedRows, "failing">, clock: Clock) {
    this.#settings = settings;
    this.#replicas = replicas;
    this.#rows = rows;
    this.#clock = clock;
  }

  /** Makes this replica unready for good, because it is about to stop. */
  drain(): void {
    this.#draining = true;
  }

  /** Why this replica should get no requests. Empty: it should get requests. */
  reasons(): readonly ("draining" | "database")[] {
    if (this.#draining) return ["draining"];
    const reads = this.#clock.monotonic() - this.#settings.readAt <= SETTINGS_MAX_AGE_MS;
    return reads && this.#replicas.heard && this.#claims() ? [] : ["database"];
  }

  #claims(): boolean {
    const { failing } = this.#rows;
    return (
      failing === undefined ||
      failing.at - failing.since < CLAIMS_FAIL_FOR_MS ||
      this.#clock.monotonic() - failing.at > CLAIMS_TRIED_AFTER_MS
    );
  }
}
