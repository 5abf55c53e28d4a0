import { type Bucket, type Rate, type Taken, takeToken } from "../../domain/access/token-bucket.ts";

/** A generation of callers is full when it has this many. So at most twice as many callers are remembered. */
const CALLERS = 50_000;

/**
 * Token buckets for any number of callers, all with the same rate, in bounded memory. A full bucket need not be stored,
 * because a caller without a bucket gets a full bucket. A bucket is full if nobody has used it for the time in which it
 * fills. So the buckets are kept in two generations, and the older generation is deleted as a whole. If there are more
 * callers than fit, the older generation is deleted early. Then some callers get a full bucket too soon, but no caller
 * is refused because of this.
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
      // After twice the time in which a bucket fills, all buckets of the younger generation are full as well.
      this.#old = now - this.#begunAt >= 2 * fillMs ? new Map() : this.#young;
      this.#young = new Map();
      this.#begunAt = now;
    }
    const taken = takeToken(this.#young.get(caller) ?? this.#old.get(caller), rate, now);
    this.#young.set(caller, taken.bucket);
    return taken;
  }

  /** Whether {@link take} would find a token. This function takes no token. */
  has(caller: string, rate: Rate, now: number): boolean {
    return takeToken(this.#young.get(caller) ?? this.#old.get(caller), rate, now).taken;
  }
}
