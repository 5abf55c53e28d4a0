import { Clock } from "../../src/ports/clock.ts";

/** A clock that a test moves. Due timers run in order. */
export class ManualClock extends Clock {
  #now: number;
  #order = 0;
  #timers: { at: number; order: number; run: () => void }[] = [];

  constructor(now = 1_767_225_600_000) {
    super();
    this.#now = now;
  }

  override now(): number {
    return this.#now;
  }

  override monotonic(): number {
    return this.#now;
  }

  override after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves the clock by `ms`: runs every timer that is due by then, and the microtasks after it. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const next = this.#timers
        .filter((timer) => timer.at <= until)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
    await settled();
  }

  /** Moves the clock without running a timer, like a blocked event loop. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
