import type { Clock } from "../ports/clock.ts";
import type { NonceStore } from "../ports/nonce-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { Periodic } from "./periodic.ts";

const EVERY_MS = 10_000;
const AT_ONCE = 500;

/** Forgets what only had to be remembered for a while, in small bites. Transactions, sessions and the audit log are kept. */
export class Janitor {
  readonly #periodic: Periodic;

  constructor(nonces: NonceStore, clock: Clock, telemetry: Telemetry) {
    const sweep = async () => {
      while ((await nonces.forget(AT_ONCE)) === AT_ONCE);
    };
    this.#periodic = new Periodic(clock, EVERY_MS, sweep, (cause) => telemetry.error("forgetting old nonces", cause));
  }

  start(): void {
    this.#periodic.start();
  }

  stop(): Promise<void> {
    return this.#periodic.stop();
  }
}
