import { type Bucket, type Rate, type Taken, takeToken } from "../../domain/access/token-bucket.ts";

/** A generation of callers is full at this size. At most twice as many callers are remembered. */
const CALLERS = 50_000;

/**
 * Token buckets for any number of callers, all with the same rate, in bounded memory. A full bucket need not be kept: a
 * caller without a bucket gets a full one. A bucket is full when nobody took from it for as long as it takes to fill.
 * So callers are kept in two generations, and the older one is dropped as a whole. When there are more callers than
 * fit, it is dropped early. Some callers then get a full bucket too soon, but no caller is refused because of it.
 */
export class Buckets {
  #young = new Map<string, Bucket>();
  #old: ReadonlyMap<string, Bucket> = new Map();
  #begunAt = Number.NEGATIVE_INFINITY;

  /** The number of callers that are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  take(caller: string, rate: Rate, now: number): Taken {
    const fillMs = (rate.capacity / rate.perSecond) * 1_000;
    if (now - this.#begunAt >= fillMs || this.#young.size >= CALLERS) {
      // After two fill times the younger generation is full as well.
      this.#old = now - this.#begunAt >= 2 * fillMs ? new Map() : this.#young;
      this.#young = new Map();
      this.#begunAt = now;
    }
    const taken = takeToken(this.#young.get(caller) ?? this.#old.get(caller), rate, now);
    this.#young.set(caller, taken.bucket);
    return taken;
  }

  /** Whether {@link take} would find a token. Takes none. */
  has(caller: string, rate: Rate, now: number): boolean {
    return takeToken(this.#young.get(caller) ?? this.#old.get(caller), rate, now).taken;
  }
}
