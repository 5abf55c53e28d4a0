import { type Clock, sleep } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { StuckNotes } from "../../ports/transactions/stuck-money.ts";
import { Periodic } from "../runtime/periodic.ts";

const LOOK_EVERY_MS = 10_000;
/** A pause between two steps. A step reads 1 000 changes, so 10 million changes take about 40 minutes. */
const STEP_EVERY_MS = 200;

/**
 * Finds the failed credits and contradictions among the changes that a replica of an older release numbered. In an
 * installation without such changes, it only looks whether there are some.
 */
export class StuckCatchUp {
  readonly #periodic: Periodic;

  constructor(notes: StuckNotes, clock: Clock, telemetry: Telemetry) {
    this.#periodic = new Periodic(
      clock,
      LOOK_EVERY_MS,
      async (stop) => {
        while (!stop.aborted && (await notes.catchUp())) await sleep(clock, STEP_EVERY_MS);
      },
      (cause) => telemetry.error("finding stuck money", cause),
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
