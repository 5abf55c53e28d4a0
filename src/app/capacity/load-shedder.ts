import type { Clock } from "../../ports/clock.ts";

const TICK_MS = 20;
const WINDOW_MS = 1_000;
const LATE_FOR_DEBITS_MS = 100;
const LATE_FOR_CREDITS_MS = 500;
/**
 * Two late ticks within the window are a load. A single late tick is a pause that is over, of the garbage collector or
 * of the whole machine. The window begins when the first late turn of the event loop ends. The time of a late turn does
 * not count, so that late turns of any length count as a load.
 */
const LATE_TICKS = 2;
/** Debits and balance queries are refused from this share of the bound on, so that credits are still taken. */
const DEBIT_SHARE = 0.9;

/**
 * Decides whether this replica takes one more transaction. It bounds how many are in flight and how late the event loop
 * may run (docs/specification/capacity.md#cap-in-flight). It decides before anything is written.
 */
export class LoadShedder {
  #inFlight = 0;
  /** Late ticks: by how many ms each was late, and the value of {@link #ranMs} when it ended. */
  #lateness: { at: number; ms: number }[] = [];
  /** The time for which the event loop has run without being late, in ms. It does not grow during a late turn. */
  #ranMs = 0;
  #stopped = false;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #atWork: () => number;

  /**
   * @param atWork - counts the transactions at work, with those that go on after their callers were answered PENDING.
   */
  constructor(clock: Clock, maxInFlight: number, atWork: () => number = () => 0) {
    this.#clock = clock;
    this.#max = maxInFlight;
    this.#atWork = atWork;
  }

  /** Begins to watch the event loop. Call it when the service begins to serve, because starting up blocks the loop. */
  start(): void {
    this.#tick(this.#clock.monotonic());
  }

  /** Counts a transaction in, or refuses it with `false`. Call {@link leave} once for every `true`. */
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

  /** The number of waiting callers, or of transactions at work if that is more. */
  get inFlight(): number {
    return Math.max(this.#inFlight, this.#atWork());
  }

  /**
   * The longest delay of the event loop within the last second, in ms. A late turn does not count as time: a turn of 5
   * s is seen for 1 s after it.
   */
  latenessMs(): number {
    return this.#lateness.length === 0 ? 0 : Math.max(...this.#lateness.map((one) => one.ms));
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
      // Only a tick that is late enough to refuse something is remembered.
      const counts = late > LATE_FOR_DEBITS_MS;
      this.#ranMs += counts ? TICK_MS : now - last;
      if (this.#lateness.length > 0) this.#lateness = this.#lateness.filter((one) => this.#ranMs - one.at < WINDOW_MS);
      if (counts) this.#lateness.push({ at: this.#ranMs, ms: late });
      this.#tick(now);
    });
  }
}
