import type { Clock } from "../ports/clock.ts";
import type { Replicas } from "./replicas.ts";
import type { Settings } from "./settings.ts";

/** A cluster stands still until it has left a dead node out; that is no reason to send everyone elsewhere at once. */
const SETTINGS_MAX_AGE_MS = 8_000;

/**
 * Whether this replica should get requests now: its database answers reads (the settings' epoch, four times a second) and takes writes
 * (the heartbeat). Told from memory, so a health check costs no query and never waits. A node outside its cluster's majority does neither.
 */
export class Readiness {
  #draining = false;
  readonly #settings: Settings;
  readonly #replicas: Replicas;
  readonly #clock: Clock;

  constructor(settings: Settings, replicas: Replicas, clock: Clock) {
    this.#settings = settings;
    this.#replicas = replicas;
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
    return reads && this.#replicas.heard ? [] : ["database"];
  }
}
