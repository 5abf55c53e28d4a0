import type { Clock } from "../../ports/clock.ts";

/**
 * Runs `work` again and again, each time `everyMs` after it last ended, until {@link stop}. An error is reported, and
 * the next round still comes. A round of many steps should check its signal between them and end early when it is
 * aborted.
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

  /** Begins no further round and aborts the signal of the one under way. Resolves when that one has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#round;
  }
}
