import type { Clock } from "../../src/ports/clock.ts";
import { TOKEN_MEMORY_MS, UsedTokens } from "../../src/ports/used-tokens.ts";

/** Used tokens of one process, for tests. */
export class MemoryUsedTokens extends UsedTokens {
  readonly #clock: Clock;
  /** The time of each use. The oldest use comes first, because a map keeps the order of insertion. */
  readonly #usedAt = new Map<string, number>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override async use(jti: string): Promise<boolean> {
    if (this.#usedAt.has(jti)) return false;
    this.#usedAt.set(jti, this.#clock.now());
    return true;
  }

  override async forget(limit: number): Promise<number> {
    const before = this.#clock.now() - TOKEN_MEMORY_MS;
    const old = [...this.#usedAt].filter(([, usedAt]) => usedAt < before).slice(0, limit);
    for (const [jti] of old) this.#usedAt.delete(jti);
    return old.length;
  }
}
