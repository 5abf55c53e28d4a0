import { StoreUnavailable } from "../../ports/store-unavailable.ts";

/** Lets so many run at once, the others in the order in which they came: who takes seconds leaves connections for who takes milliseconds. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #atOnce: number;
  readonly #waitingMax: number;

  constructor(atOnce: number, waitingMax: number) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /** Throws StoreUnavailable when too many wait already. */
  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else if (this.#waiting.length >= this.#waitingMax) throw new StoreUnavailable("too many ask at once");
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      return await run();
    } finally {
      // Who comes next has this one's place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
