import { traceHeaders } from "./operation/tracing.ts";

/** A provider stops waiting some time after its request. The answer must leave before. */
const RESERVE_MS = 300;
/** With less time than this no further call is begun. */
const CALL_MS = 100;

export class Deadline {
  readonly #until: number;
  /** Whether the provider has closed the connection, so that no answer reaches it. */
  readonly hasHungUp: () => boolean;

  /** @param patienceMs - how long the provider waits for an answer. */
  constructor(patienceMs: number, { hasHungUp }: { hasHungUp(): boolean } = { hasHungUp: () => false }) {
    this.#until = performance.now() + Math.max(patienceMs - RESERVE_MS, CALL_MS);
    this.hasHungUp = hasHungUp;
  }

  hasTime(): boolean {
    return this.#until - performance.now() > CALL_MS;
  }

  /** The options of a call at the aggregator. */
  options() {
    return { timeoutMs: Math.max(1, Math.floor(this.#until - performance.now())), headers: traceHeaders() };
  }
}
