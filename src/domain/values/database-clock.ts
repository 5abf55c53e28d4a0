import type { DbTime } from "../transaction/transaction.ts";
import type { WholeMs } from "./whole-ms.ts";
import { wholeMs } from "./whole-ms.ts";

/** A reading is not used after this many milliseconds, because the two clocks drift apart. */
const READING_LIFE_MS = 5_000;

/** A bound for the difference between the database's time and the process's time. */
interface Bound {
  readonly offset: number;
  readonly knownAt: number;
}

/**
 * What a process knows about the database's clock from earlier readings of it. The database read its clock after the
 * process sent the query and before the answer arrived. So each reading gives two bounds for the difference between the
 * clocks. The closest bounds of the last 5 s are used. Times of the process are milliseconds by a monotonic clock.
 */
export class DatabaseClock {
  #least: Bound = { offset: Number.NEGATIVE_INFINITY, knownAt: Number.NEGATIVE_INFINITY };
  #most: Bound = { offset: Number.POSITIVE_INFINITY, knownAt: Number.NEGATIVE_INFINITY };

  /** Whether there is a reading of the last 5 s. */
  isKnown(at: number): boolean {
    return at - this.#least.knownAt <= READING_LIFE_MS;
  }

  observe(reading: DbTime, sentAt: number, receivedAt: number): void {
    const least = { offset: reading - receivedAt, knownAt: receivedAt };
    const most = { offset: reading - sentAt, knownAt: receivedAt };
    // If the bounds contradict each other, somebody has set the database's clock, and the earlier readings are wrong.
    const wasSet = most.offset < this.#least.offset || least.offset > this.#most.offset;
    const counts = ({ knownAt }: Bound): boolean => !wasSet && receivedAt - knownAt <= READING_LIFE_MS;
    if (!counts(this.#least) || least.offset >= this.#least.offset) this.#least = least;
    if (!counts(this.#most) || most.offset <= this.#most.offset) this.#most = most;
  }

  /** The earliest possible time of the database. A lease that is computed from it never seems longer than it is. */
  atLeast(at: number): WholeMs {
    return wholeMs(Math.floor(at + this.#least.offset));
  }

  /** The latest possible time of the database. A secret that ends by this time is never accepted for too long. */
  atMost(at: number): WholeMs {
    return wholeMs(Math.floor(at + this.#most.offset));
  }
}
