import type { Clock } from "../../ports/clock.ts";

const TICK_MS = 20;
const WINDOW_MS = 1_000;
const LATE_FOR_DEBITS_MS = 100;
const LATE_FOR_CREDITS_MS = 500;
/**
 * The second late tick within the window makes a load. A single one is a pause that is over, of the garbage collector or of the whole machine.
 * The window begins when the first late turn ends, and the time of a late turn does not count: a turn of 5 s is the worse load, not the older one.
 */
const LATE_TICKS = 2;
/** Debits and balance queries are refused from this share of the bound on, so that credits still get in. */
const DEBIT_SHARE = 0.9;

/**
 * Whether this replica takes one more transaction: a bound on how many are in flight, and on how late its event loop runs
 * (docs/specification/capacity.md#cap-in-flight). It judges before anything is written.
 */
export class LoadShedder {
  #inFlight = 0;
  /** Late ticks, each with what {@link #ranMs} was when it ended. */
  #lateness: { at: number; ms: number }[] = [];
  /** For how long the event loop has run in time. It stands still during a late turn. */
  #ranMs = 0;
  #stopped = false;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #atWork: () => number;

  /** @param atWork - transactions at work whether or not anybody waits: those whose callers were told pending go on. */
  constructor(clock: Clock, maxInFlight: number, atWork: () => number = () => 0) {
    this.#clock = clock;
    this.#max = maxInFlight;
    this.#atWork = atWork;
  }

  /** Begins to watch the event loop: when the service begins to serve, for starting up blocks it. */
  start(): void {
    this.#tick(this.#clock.monotonic());
  }

  /** Counts one in, or refuses. Every `true` is followed by one {@link leave}. */
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

  /** Callers that wait, or transactions at work when those are more. */
  get inFlight(): number {
    return Math.max(this.#inFlight, this.#atWork());
  }

  /** The latest the event loop was in the last second. Late turns don't count as time: one of 5 s is seen for a second after it. */
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
      // Only a tick that could refuse anything is remembered.
      const counts = late > LATE_FOR_DEBITS_MS;
      this.#ranMs += counts ? TICK_MS : now - last;
      if (this.#lateness.length > 0) this.#lateness = this.#lateness.filter((one) => this.#ranMs - one.at < WINDOW_MS);
      if (counts) this.#lateness.push({ at: this.#ranMs, ms: late });
      this.#tick(now);
    });
  }
}
