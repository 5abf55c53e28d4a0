import type { Clock } from "../../ports/clock.ts";
import type { Settings } from "../runtime/settings.ts";
import type { BatchedRows } from "../transaction/batched-rows.ts";
import type { Replicas } from "./replicas.ts";

/** A cluster stands still until it has left a dead node out; that is no reason to send everyone elsewhere at once. */
const SETTINGS_MAX_AGE_MS = 8_000;
/** One row that somebody has locked fails the claims beside it, too; others then succeed. */
const CLAIMS_FAIL_FOR_MS = 2_000;
/** So long after the last claim that failed it is worth a try again: who is not ready is asked for none. */
const CLAIMS_TRIED_AFTER_MS = 5_000;

/**
 * Whether this replica should get requests now: its database answers reads (the settings' epoch, four times a second) and takes writes
 * (the heartbeat, and the claims of transactions: a full disk has room for the one and not for the others). Told from memory, so a health
 * check costs no query and never waits. A node outside its cluster's majority does neither.
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

  /** For good: this replica is about to stop. */
  drain(): void {
    this.#draining = true;
  }

  /** Why it should get none; empty: it should. */
  reasons(): readonly ("draining" | "database")[] {
    if (this.#draining) return ["draining"];
    const reads = this.#clock.monotonic() - this.#settings.readAt <= SETTINGS_MAX_AGE_MS;
    return reads && this.#replicas.heard && this.#claims() ? [] : ["database"];
  }

  #claims(): boolean {
    const { failing } = this.#rows;
    return failing === undefined || failing.at - failing.since < CLAIMS_FAIL_FOR_MS || this.#clock.monotonic() - failing.at > CLAIMS_TRIED_AFTER_MS;
  }
}
