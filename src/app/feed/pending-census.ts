import { type Clock, sleep } from "../../ports/clock.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { PendingAges } from "../../ports/transactions/pending-ages.ts";

/**
 * A request for the metrics waits this long for the database. A scrape that runs into its own time-out would lose every
 * metric of the replica, also those that say that the database is gone.
 */
const ANSWER_WITHIN_MS = 250;

const MINUTE_MS = 60_000;
/** While the database is slow, the last count is shown for this time. */
const KEPT_MS = MINUTE_MS;
const AGES: Readonly<Record<string, number>> = {
  "0": 0,
  "1m": MINUTE_MS,
  "10m": 10 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "1d": 1_440 * MINUTE_MS,
  "3d": 4_320 * MINUTE_MS,
};

export interface PendingSince {
  readonly merchant: string;
  /** The minimum age: 0, 1m, 10m, 1h, 1d or 3d. A transaction is in the count of every age that it has reached. */
  readonly olderThan: string;
  readonly count: number;
}

/**
 * Counts pending transactions by merchant and age. Never throws. Only one count runs at a time, so a slow database does
 * not get more and more of them.
 */
export class PendingCensus {
  #counting: Promise<readonly PendingSince[]> | undefined;
  #last: { readonly counts: readonly PendingSince[]; readonly at: number } | undefined;
  readonly #stop = new AbortController();
  readonly #ages: PendingAges;
  readonly #merchants: () => readonly Merchant[];
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(ages: PendingAges, merchants: () => readonly Merchant[], clock: Clock, telemetry: Telemetry) {
    this.#ages = ages;
    this.#merchants = merchants;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  /**
   * The counts. If the database does not answer within 250 ms or refuses, the last counts of the past minute. Empty
   * without such counts.
   */
  async take(): Promise<readonly PendingSince[]> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
    return Promise.race([this.#counting, sleep(this.#clock, ANSWER_WITHIN_MS).then(() => this.#recent())]);
  }

  /** Stops the count. Resolves when its present statement has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#counting;
  }

  async #count(): Promise<readonly PendingSince[]> {
    const codes = new Map(this.#merchants().map(({ id, code }) => [id, code]));
    try {
      const counted = await this.#ages.count([...codes.keys()], Object.values(AGES), this.#stop.signal);
      const counts = counted.flatMap(({ merchantId, counts }) =>
        Object.keys(AGES).map((olderThan, i) => ({
          merchant: codes.get(merchantId) ?? String(merchantId),
          olderThan,
          count: counts[i] ?? 0,
        })),
      );
      this.#last = { counts, at: this.#clock.monotonic() };
      return counts;
    } catch (cause) {
      this.#telemetry.error("counting what is pending", cause);
      return this.#recent();
    }
  }

  #recent(): readonly PendingSince[] {
    const { counts, at } = this.#last ?? { counts: [], at: 0 };
    return this.#clock.monotonic() - at < KEPT_MS ? counts : [];
  }
}
