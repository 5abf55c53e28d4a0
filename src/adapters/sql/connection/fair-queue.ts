import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

export interface QueueLimits {
  /** The maximum of tasks that run at once. */
  readonly runningMax: number;
  /** The maximum of tasks of one caller that run at once; by default `perCaller`. */
  readonly runningPerCaller?: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** The maximum of tasks of one caller, running and waiting together. */
  readonly perCaller: number;
}

type Caller = number | string;

/** The tasks of one caller. */
interface Share {
  /** The number of running and waiting tasks. */
  tasks: number;
  running: number;
}

interface Waiting {
  readonly share: Share;
  readonly begin: () => void;
}

/**
 * Limits the number of tasks that run at once. The other tasks wait, and begin in the order in which they came. So long
 * tasks leave connections for short tasks. Each caller has its own limits, so that no caller takes all connections. A
 * task whose caller may not run another task is skipped for now.
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
   * Runs a task as soon as the limits allow it.
   *
   * @param caller - identifies whose tasks are limited together, for example a merchant's number.
   * @throws StoreUnavailable at once if the caller has too many tasks or too many tasks wait, and later if the task
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

  /** Ends a task, and begins the first waiting task that may begin. */
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
