import type { Clock } from "../ports/clock.ts";

/** Runs `work` again and again, `everyMs` after its last end, until stopped. A fault is reported and the next round comes. */
export class Periodic {
  #stopped = false;
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  readonly #report: (cause: unknown) => void;

  constructor(clock: Clock, everyMs: number, work: () => Promise<void>, report: (cause: unknown) => void) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#work = work;
    this.#report = report;
  }

  start(): void {
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(this.#everyMs, () => {
      this.#round = this.#work()
        .catch(this.#report)
        .then(() => this.start());
    });
  }

  /** No further round begins; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#round;
  }
}
