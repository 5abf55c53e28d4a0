import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

export interface QueueLimits {
  /** Tasks running at once. */
  readonly runningMax: number;
  /** Tasks of one caller running at once. By default as many as `perCaller`. */
  readonly runningPerCaller?: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Tasks of one caller, running and waiting together. */
  readonly perCaller: number;
}

type Caller = number | string;

/** The tasks of one caller. */
interface Share {
  /** Running and waiting. */
  tasks: number;
  running: number;
}

interface Waiting {
  readonly share: Share;
  readonly begin: () => void;
}

/**
 * Bounds the tasks that run at once. The others wait and begin in the order in which they came, so that long tasks
 * leave connections for short ones. Each caller has its own bounds, so that none takes everything: a task whose caller
 * may not run another one is passed over.
 */
export class FairQueue {
  #running = 0;
  readonly #waiting = new Set<Waiting>();
  readonly #shares = new Map<Caller, Share>();
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a task when the limits allow it.
   *
   * @param caller - the one whose tasks are bounded together, for example a merchant's number.
   * @throws StoreUnavailable at once when the caller has all its tasks or too many tasks wait, and later when the task
   *   waited too long.
   */
  async run<T>(caller: Caller, task: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(caller) ?? { tasks: 0, running: 0 };
    if (share.tasks >= this.#limits.perCaller) throw new StoreUnavailable("this caller has too many requests at once");
    this.#shares.set(caller, share);
    share.tasks += 1;
    try {
      await this.#wait(share);
      try {
        return await task();
      } finally {
        this.#end(share);
      }
    } finally {
      share.tasks -= 1;
      if (share.tasks === 0) this.#shares.delete(caller);
    }
  }

  async #wait(share: Share): Promise<void> {
    const { waitingMax, waitMs } = this.#limits;
    if (this.#mayBegin(share)) return this.#begin(share);
    if (this.#waiting.size >= waitingMax) throw new StoreUnavailable("too many requests wait for the database");
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#begin(share);
        resolve();
      };
      const waiting = { share, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new StoreUnavailable(`the request waited for the database for ${waitMs} ms`));
      }, waitMs);
      this.#waiting.add(waiting);
    });
  }

  #mayBegin(share: Share): boolean {
    const { runningMax, perCaller, runningPerCaller = perCaller } = this.#limits;
    return this.#running < runningMax && share.running < runningPerCaller;
  }

  #begin(share: Share): void {
    this.#running += 1;
    share.running += 1;
  }

  /** Ends a task and begins the first waiting one that may begin. */
  #end(share: Share): void {
    this.#running -= 1;
    share.running -= 1;
    for (const waiting of this.#waiting) {
      if (!this.#mayBegin(waiting.share)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
      return;
    }
  }
}
