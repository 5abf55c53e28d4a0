import { randomFillSync, randomUUID } from "node:crypto";
import { Random } from "../../ports/random.ts";

const TOKEN_BYTES = 16;
const POOL_BYTES = TOKEN_BYTES * 256;

/**
 * Random bytes of the operating system. They are read for 256 tokens at a time, because a call to the system costs 25
 * times as much as the bytes of one token.
 */
export class SystemRandom extends Random {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  override token(): string {
    if (this.#used === POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const text = this.#pool.toString("hex", this.#used, this.#used + TOKEN_BYTES);
    this.#used += TOKEN_BYTES;
    return text;
  }

  override uuid(): string {
    return randomUUID();
  }

  override fraction(): number {
    return Math.random();
  }
}
