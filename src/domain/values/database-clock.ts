import type { DbTime } from "../transaction/transaction.ts";

/** After this many milliseconds a reading no longer counts, because the two clocks drift apart. */
const READING_LIFE_MS = 5_000;

/** A bound of the database's time minus the process's time. */
interface Bound {
  readonly offset: number;
  readonly knownAt: number;
}

/**
 * What a process knows about the database's clock from earlier readings of it. The database took a reading after the
 * process sent its question and before the answer arrived, so each reading gives two bounds of the difference between
 * the clocks. The closest bounds of the last 5 s count. Times of the process are milliseconds by a monotonic clock.
 */
export class DatabaseClock {
  #least: Bound = { offset: Number.NEGATIVE_INFINITY, knownAt: Number.NEGATIVE_INFINITY };
  #most: Bound = { offset: Number.POSITIVE_INFINITY, knownAt: Number.NEGATIVE_INFINITY };

  /** Whether a reading of the last 5 s counts. */
  isKnown(at: number): boolean {
    return at - this.#least.knownAt <= READING_LIFE_MS;
  }

  observe(reading: DbTime, sentAt: number, receivedAt: number): void {
    const least = { offset: reading - receivedAt, knownAt: receivedAt };
    const most = { offset: reading - sentAt, knownAt: receivedAt };
    // If the bounds contradict each other, the database's clock was set, and earlier readings are wrong.
    const wasSet = most.offset < this.#least.offset || least.offset > this.#most.offset;
    const counts = ({ knownAt }: Bound): boolean => !wasSet && receivedAt - knownAt <= READING_LIFE_MS;
    if (!counts(this.#least) || least.offset >= this.#least.offset) this.#least = least;
    if (!counts(this.#most) || most.offset <= this.#most.offset) this.#most = most;
  }

  /** The database's time at least. A lease that is counted from it never seems longer than it is. */
  atLeast(at: number): DbTime {
    return Math.floor(at + this.#least.offset);
  }

  /** The database's time at most. A secret that ends by it never counts longer than it may. */
  atMost(at: number): DbTime {
    return Math.floor(at + this.#most.offset);
  }
}
