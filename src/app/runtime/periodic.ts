import type { Clock } from "../../ports/clock.ts";

/**
 * Runs `work` again and again, `everyMs` after its last end, until stopped. A fault is reported and the next round comes. A round that takes
 * many steps looks at its signal between them and ends early when it is aborted.
 */
export class Periodic {
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #work: (stop: AbortSignal) => Promise<void>;
  readonly #report: (cause: unknown) => void;

  constructor(clock: Clock, everyMs: number, work: (stop: AbortSignal) => Promise<void>, report: (cause: unknown) => void) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#work = work;
    this.#report = report;
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    this.#cancel = this.#clock.after(this.#everyMs, () => {
      this.#round = this.#work(this.#stop.signal)
        .catch(this.#report)
        .then(() => this.start());
    });
  }

  /** No further round begins, and the one under way is told to end; resolves when it has. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#round;
  }
}
