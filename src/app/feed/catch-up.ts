import { type Clock, sleep } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { ChangeStore } from "../../ports/transactions/change-store.ts";
import type { StuckNotes } from "../../ports/transactions/stuck-money.ts";
import { Periodic } from "../runtime/periodic.ts";

const LOOK_EVERY_MS = 10_000;
/** A pause between two steps. A step reads 1 000 changes, so 10 million changes take about 40 minutes. */
const STEP_EVERY_MS = 200;

/**
 * Examines the changes that a replica of an older release numbered. It finds the failed credits and contradictions among
 * them, and adds them to the sums by kind. In an installation without such changes, it only looks whether there are some.
 */
export class CatchUp {
  readonly #periodic: Periodic;

  constructor(notes: StuckNotes, changes: ChangeStore, clock: Clock, telemetry: Telemetry) {
    this.#periodic = new Periodic(
      clock,
      LOOK_EVERY_MS,
      async (stop) => {
        for (const store of [changes, notes])
          while (!stop.aborted && (await store.catchUp())) await sleep(clock, STEP_EVERY_MS);
      },
      (cause) => telemetry.error("examining the changes of an older release", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Resolves when the statement in progress has ended. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }
}
