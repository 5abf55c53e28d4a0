import type { Clock } from "../ports/clock.ts";
import type { GgrStore } from "../ports/ggr-store.ts";
import type { Merchant } from "../ports/settings-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { Periodic } from "./periodic.ts";

const EVERY_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A day is looked at when it has been over for so long: few calls of it are still under way, and the night is quiet. */
const AFTER_MS = 3 * HOUR_MS;

/** Every night, yesterday (UTC) once more: what the reports have added up against the transactions themselves. A difference is a bug of ours. */
export class GgrAudit {
  #audited = 0;
  readonly #store: GgrStore;
  readonly #merchants: () => readonly Merchant[];
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #periodic: Periodic;

  constructor(store: GgrStore, merchants: () => readonly Merchant[], clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#merchants = merchants;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      () => this.#round(),
      (cause) => telemetry.error("the nightly fold", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  /** A replica that has just started looks at yesterday, too. */
  async #round(): Promise<void> {
    const now = this.#clock.now() - AFTER_MS;
    const to = now - (now % DAY_MS);
    if (to === this.#audited) return;
    for (const { id, code } of this.#merchants()) {
      const difference = await this.#store.difference(id, to - DAY_MS, to);
      if (difference !== null) this.#telemetry.alert("ggr_differs", { merchant: code, day: dayOf(to - DAY_MS), difference });
    }
    this.#audited = to;
  }
}

const dayOf = (at: number): string => Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 10);
