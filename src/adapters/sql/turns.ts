import { StoreUnavailable } from "../../ports/store-unavailable.ts";

export interface TurnLimits {
  /** Running at once. */
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Of one caller, running and waiting together. */
  readonly ofOne: number;
}

/**
 * Lets so many run at once, the others in the order in which they came: who takes seconds leaves connections for who takes milliseconds,
 * and nobody takes every turn.
 */
export class Turns {
  #running = 0;
  readonly #waiting = new Set<() => void>();
  readonly #callers = new Map<number | string, number>();
  readonly #limits: TurnLimits;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Throws StoreUnavailable when too many wait already, when this one waited for too long, and at once when the caller has its share.
   *
   * @param caller - who shares the turns with the others.
   */
  async take<T>(caller: number | string, run: () => Promise<T>): Promise<T> {
    const share = this.#callers.get(caller) ?? 0;
    if (share >= this.#limits.ofOne) throw new StoreUnavailable("this caller asks for too much at once");
    this.#callers.set(caller, share + 1);
    try {
      await this.#turn();
      try {
        return await run();
      } finally {
        this.#pass();
      }
    } finally {
      const left = (this.#callers.get(caller) ?? 1) - 1;
      if (left === 0) this.#callers.delete(caller);
      else this.#callers.set(caller, left);
    }
  }

  async #turn(): Promise<void> {
    const { atOnce, waitingMax, waitMs } = this.#limits;
    if (this.#running < atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.size >= waitingMax) throw new StoreUnavailable("too many ask at once");
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new StoreUnavailable(`no turn within ${waitMs} ms`));
      }, waitMs);
      this.#waiting.add(begin);
    });
  }

  /** Who comes next has this one's place. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
