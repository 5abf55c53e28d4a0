import type { Clock } from "../../ports/clock.ts";

/**
 * Runs `work` again and again, until {@link stop}. Each run begins `everyMs` after the end of the last run. An error is
 * reported, and the next run still comes. A run with many steps should check its signal between them, and end early if
 * the signal is aborted.
 */
export class Periodic {
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #work: (stop: AbortSignal) => Promise<void>;
  readonly #report: (cause: unknown) => void;

  constructor(
    clock: Clock,
    everyMs: number,
    work: (stop: AbortSignal) => Promise<void>,
    report: (cause: unknown) => void,
  ) {
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

  /** Starts no further run, and aborts the signal of the present run. Resolves when the present run has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#round;
  }
}
