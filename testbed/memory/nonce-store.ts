import type { Clock } from "../../src/ports/clock.ts";
import { NONCE_MEMORY_MS, NonceStore } from "../../src/ports/nonce-store.ts";

/** Nonces of one process, for tests and simulation. */
export class MemoryNonceStore extends NonceStore {
  readonly #clock: Clock;
  /** The time of each use. The oldest use comes first, because a map keeps the order of insertion. */
  readonly #usedAt = new Map<string, number>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override async use(lines: readonly { readonly merchantId: number; readonly nonce: string }[]): Promise<boolean[]> {
    return lines.map(({ merchantId, nonce }) => {
      const key = `${merchantId}/${nonce}`;
      if (this.#usedAt.has(key)) return false;
      this.#usedAt.set(key, this.#clock.now());
      return true;
    });
  }

  override async forget(limit: number): Promise<number> {
    const before = this.#clock.now() - NONCE_MEMORY_MS;
    const old = [...this.#usedAt].filter(([, usedAt]) => usedAt < before).slice(0, limit);
    for (const [key] of old) this.#usedAt.delete(key);
    return old.length;
  }
}
