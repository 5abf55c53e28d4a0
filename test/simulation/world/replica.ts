import type { ProcessFault } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Faults } from "./faults.ts";
import type { Fired } from "./fired.ts";
import type { Kernel } from "./kernel.ts";

const RESTART_MS = { min: 200, max: 6_000 };
/** No lease is longer: a process that is paused for this time wakes up long after its lease. */
const LONGEST_LEASE_MS = 15_000;

/** One life of a replica. A call or continuation of another life does nothing: its process is gone. */
export type Life = number;

/** The part of a replica that its ports use. */
export type Host = Pick<Replica<unknown>, "life" | "number" | "call">;

/**
 * One process of the service. Everything that it does begins with a port call, a timer or a request, and each of them
 * passes through here. So it can be killed or paused at every await.
 */
export class Replica<App> {
  readonly number: number;
  readonly processFaults: ProcessFault[] = [];
  app: App | undefined;
  #life: Life = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #fired: Fired;
  readonly #start: (replica: Replica<App>) => App;

  constructor(
    number: number,
    kernel: Kernel,
    faults: Faults,
    random: SeededRandom,
    fired: Fired,
    start: (replica: Replica<App>) => App,
  ) {
    this.number = number;
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#fired = fired;
    this.#start = start;
    this.app = start(this);
  }

  get life(): Life {
    return this.#life;
  }

  isRunning(): boolean {
    return this.app !== undefined && !this.isPaused();
  }

  isPaused(): boolean {
    return this.#pausedUntil > this.#kernel.now;
  }

  /** kill -9. It starts again after a while, without its memory. */
  crash(): void {
    if (this.app === undefined) return;
    const forMs = this.#random.int(RESTART_MS.min, RESTART_MS.max);
    this.#die(forMs);
    const { life } = this;
    this.#kernel.after(forMs, () => {
      if (life === this.#life) this.app = this.#start(this);
    });
  }

  /** kill -9, for good. */
  stop(): void {
    this.#die(Number.POSITIVE_INFINITY);
  }

  #die(forMs: number): void {
    this.app = undefined;
    this.#life += 1;
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
    this.processFaults.push({
      kind: "crash",
      replica: this.number,
      at: this.#kernel.now,
      until: this.#kernel.now + forMs,
    });
  }

  /** SIGSTOP, and SIGCONT after `ms`. */
  pause(ms: number): void {
    if (this.app === undefined || this.isPaused()) return;
    this.#pausedUntil = this.#kernel.now + ms;
    this.processFaults.push({ kind: "pause", replica: this.number, at: this.#kernel.now, until: this.#pausedUntil });
  }

  /** Lets the process run on with `run`: never when it is dead, later when it is paused. */
  enter(life: Life, run: () => void): void {
    if (life !== this.#life) return;
    if (this.isPaused()) this.#kernel.after(this.#pausedUntil - this.#kernel.now, () => this.enter(life, run));
    else run();
  }

  /**
   * A port call, by its name. `leave` runs when the call leaves the process, and calls `done` with its outcome when
   * that arrives back here. The process may die or be paused before, in between, or never.
   */
  call<T>(life: Life, name: string, leave: (done: (outcome: () => T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (life !== this.#life) return;
      this.#stumble(name, "before");
      this.enter(life, () =>
        leave((outcome) => {
          if (life !== this.#life) return;
          this.#stumble(name, "after");
          this.enter(life, () => {
            try {
              resolve(outcome());
            } catch (cause) {
              reject(cause);
            }
          });
        }),
      );
    });
  }

  #stumble(name: string, when: "before" | "after"): void {
    if (this.app === undefined || this.isPaused()) return;
    if (this.#random.chance(this.#faults.crash)) {
      this.#fired.count(`crash ${when}`, name);
      this.crash();
    } else if (this.#random.chance(this.#faults.pause)) {
      const ms = this.#random.int(1, this.#faults.pauseMaxMs);
      this.#fired.count(`pause ${when}`, name);
      if (ms > LONGEST_LEASE_MS) this.#fired.count("pause beyond any lease");
      this.pause(ms);
    }
  }
}
