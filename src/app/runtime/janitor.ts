import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { Periodic } from "./periodic.ts";

const EVERY_MS = 10_000;
const BATCH_SIZE = 500;

/** A store whose rows are needed only for a limited time. */
interface ExpiringStore {
  /** Deletes at most `limit` expired rows. Resolves to the number of deleted rows. */
  forget(limit: number): Promise<number>;
}

/** Deletes expired rows in small batches. Transactions, sessions and the audit log are kept for ever. */
export class Janitor {
  readonly #periodics: readonly Periodic[];

  constructor(stores: Readonly<Record<string, ExpiringStore>>, clock: Clock, telemetry: Telemetry) {
    this.#periodics = Object.entries(stores).map(([name, store]) => {
      const sweep = async (stop: AbortSignal) => {
        while (!stop.aborted && (await store.forget(BATCH_SIZE)) === BATCH_SIZE);
      };
      return new Periodic(clock, EVERY_MS, sweep, (cause) => telemetry.error(`forgetting old ${name}`, cause));
    });
  }

  start(): void {
    for (const periodic of this.#periodics) periodic.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#periodics.map((periodic) => periodic.stop()));
  }
}
