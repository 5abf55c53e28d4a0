import type { Clock } from "../../ports/clock.ts";

const TICK_MS = 20;
const WINDOW_MS = 1_000;
const LATE_FOR_DEBITS_MS = 100;
const LATE_FOR_CREDITS_MS = 500;
/**
 * A timer of 20 ms (a tick) measures how late the event loop is. Two late ticks within the window mean overload. A
 * single late tick is only a pause, of the garbage collector or of the whole machine. The window begins when the first
 * late turn of the event loop ends. Late turns do not count as time of the window, so late turns of any length mean
 * overload.
 */
const LATE_TICKS = 2;
/** Debits and balance queries are refused when this share of the maximum is reached. The rest is left for credits. */
const DEBIT_SHARE = 0.9;

/**
 * Decides whether this replica takes one more transaction. It limits the number of transactions in flight, and the
 * delay of the event loop (docs/specification/capacity.md#cap-in-flight). The decision comes before anything is
 * written.
 */
export class LoadShedder {
  #inFlight = 0;
  /** The late ticks: the delay of each in ms, and the value of {@link #ranMs} at its end. */
  #lateness: { at: number; ms: number }[] = [];
  /** The time for which the event loop has run without being late, in ms. It does not grow during a late turn. */
  #ranMs = 0;
  #lateMs = 0;
  #stopped = false;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #work: { readonly active: number };

  /**
   * @param work - `active` is the number of transactions in progress, also those whose callers have already got
   *   PENDING.
   */
  constructor(clock: Clock, maxInFlight: number, work: { readonly active: number } = { active: 0 }) {
    this.#clock = clock;
    this.#max = maxInFlight;
    this.#work = work;
  }

  /**
   * Begins to measure the event loop. Call this when the service begins to serve, because the start blocks the loop.
   */
  start(): void {
    this.#tick(this.#clock.monotonic());
  }

  /**
   * Counts a new transaction and returns `true`, or refuses it with `false`. Call {@link leave} once for every `true`.
   */
  enter(kind: "credit" | "debit"): boolean {
    const full = kind === "credit" ? this.#max : this.#max * DEBIT_SHARE;
    if (this.inFlight >= full) return false;
    if (this.#late(kind === "credit" ? LATE_FOR_CREDITS_MS : LATE_FOR_DEBITS_MS)) return false;
    this.#inFlight += 1;
    return true;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  /** The number of waiting callers, or the number of transactions in progress if that is higher. */
  get inFlight(): number {
    return Math.max(this.#inFlight, this.#work.active);
  }

  /** The sum of all delays of the event loop above 100 ms since the start, in ms. */
  get lateMs(): number {
    return this.#lateMs;
  }

  stop(): void {
    this.#stopped = true;
  }

  #late(byMs: number): boolean {
    let ticks = 0;
    for (const { ms } of this.#lateness) if (ms > byMs) ticks += 1;
    return ticks >= LATE_TICKS;
  }

  #tick(last: number): void {
    this.#clock.after(TICK_MS, () => {
      if (this.#stopped) return;
      const now = this.#clock.monotonic();
      const late = now - last - TICK_MS;
      // Only ticks that are late enough to refuse a transaction are remembered.
      const counts = late > LATE_FOR_DEBITS_MS;
      this.#ranMs += counts ? TICK_MS : now - last;
      if (this.#lateness.length > 0) this.#lateness = this.#lateness.filter((one) => this.#ranMs - one.at < WINDOW_MS);
      if (counts) {
        this.#lateMs += late;
        this.#lateness.push({ at: this.#ranMs, ms: late });
      }
      this.#tick(now);
    });
  }
}
