import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

export interface TurnLimits {
  /** Running at once. */
  readonly atOnce: number;
  /** Of one caller running at once; as many as `ofOne` when it isn't said. */
  readonly ofOneAtOnce?: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Of one caller, running and waiting together. */
  readonly ofOne: number;
}

type Caller = number | string;

/** What one caller has. */
interface Share {
  taken: number;
  running: number;
}

interface Waiting {
  readonly share: Share;
  readonly begin: () => void;
}

/**
 * Lets so many run at once, the others in the order in which they came: who takes seconds leaves connections for who takes milliseconds,
 * and nobody takes every turn. Who may not have one more at once is passed over.
 */
export class Turns {
  #running = 0;
  readonly #waiting = new Set<Waiting>();
  readonly #shares = new Map<Caller, Share>();
  readonly #limits: TurnLimits;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Throws StoreUnavailable when too many wait already, when this one waited for too long, and at once when the caller has its share.
   *
   * @param caller - who shares the turns with the others.
   */
  async take<T>(caller: Caller, run: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(caller) ?? { taken: 0, running: 0 };
    if (share.taken >= this.#limits.ofOne) throw new StoreUnavailable("this caller asks for too much at once");
    this.#shares.set(caller, share);
    share.taken += 1;
    try {
      await this.#turn(share);
      try {
        return await run();
      } finally {
        this.#end(share);
      }
    } finally {
      share.taken -= 1;
      if (share.taken === 0) this.#shares.delete(caller);
    }
  }

  async #turn(share: Share): Promise<void> {
    const { waitingMax, waitMs } = this.#limits;
    if (this.#mayBegin(share)) return this.#begin(share);
    if (this.#waiting.size >= waitingMax) throw new StoreUnavailable("too many ask at once");
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#begin(share);
        resolve();
      };
      const one = { share, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(one);
        reject(new StoreUnavailable(`no turn within ${waitMs} ms`));
      }, waitMs);
      this.#waiting.add(one);
    });
  }

  #mayBegin(share: Share): boolean {
    const { atOnce, ofOne, ofOneAtOnce = ofOne } = this.#limits;
    return this.#running < atOnce && share.running < ofOneAtOnce;
  }

  #begin(share: Share): void {
    this.#running += 1;
    share.running += 1;
  }

  /** The first in the line that may begin has its turn. */
  #end(share: Share): void {
    this.#running -= 1;
    share.running -= 1;
    for (const one of this.#waiting) {
      if (!this.#mayBegin(one.share)) continue;
      this.#waiting.delete(one);
      one.begin();
      return;
    }
  }
}
