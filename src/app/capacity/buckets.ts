import { type Bucket, type Rate, type Taken, takeToken } from "../../domain/access/token-bucket.ts";

/** So many callers are remembered at least, and twice as many at most. */
const CALLERS = 50_000;

/**
 * A bucket for each of any number of callers, all of the same rate. A full bucket is as good as none, and one that nobody touched for
 * as long as it takes to fill is full: so callers are kept in two generations, and the older is dropped whole. Under more callers
 * than fit it is dropped early, which forgives some of them; nobody is refused for it.
 */
export class Buckets {
  #young = new Map<string, Bucket>();
  #old: ReadonlyMap<string, Bucket> = new Map();
  #begunAt = Number.NEGATIVE_INFINITY;

  /** How many callers are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  take(caller: string, rate: Rate, now: number): Taken {
    const fillMs = (rate.capacity / rate.perSecond) * 1_000;
    if (now - this.#begunAt >= fillMs || this.#young.size >= CALLERS) {
      // Two fill times without a call: the younger ones are full as well.
      this.#old = now - this.#begunAt >= 2 * fillMs ? new Map() : this.#young;
      this.#young = new Map();
      this.#begunAt = now;
    }
    const taken = takeToken(this.#young.get(caller) ?? this.#old.get(caller), rate, now);
    this.#young.set(caller, taken.bucket);
    return taken;
  }
}
