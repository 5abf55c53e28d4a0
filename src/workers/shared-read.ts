import { setTimeout as sleep } from "node:timers/promises";

/** The shortest time between the beginnings of two reads. */
const GAP_MS = 100;

/**
 * A read that is expensive, and that many callers share. A caller gets the result of a read that began after its call.
 * At most ten reads begin in a second, one after the other.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #next: Promise<T> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Rejects if the read fails. */
  get(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#running;
    const waitMs = this.#beganAt + GAP_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    this.#next = undefined;
    this.#beganAt = performance.now();
    const read = this.#read();
    this.#running = read.catch(() => {});
    return read;
  }
}
