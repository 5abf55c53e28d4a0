import type { ProcessFault } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Faults } from "./faults.ts";
import type { Fired } from "./fired.ts";
import type { Kernel } from "./kernel.ts";

const RESTART_MS = { min: 200, max: 6_000 };
/** The longest lease. If a process is paused for a longer time, its leases have ended when it continues. */
const LONGEST_LEASE_MS = 15_000;

/**
 * The number of a replica's life. A call or continuation of another life does nothing, because its process no longer
 * exists.
 */
export type Life = number;

/** The part of a replica that its ports use. */
export type Host = Pick<Replica<unknown>, "life" | "number" | "call">;

/**
 * One process of the service. Every action of the process begins with a port call, a timer or a request, and all of
 * these pass through this class. So the process can be killed or paused at every await.
 */
export class Replica<App> {
  readonly number: number;
  readonly processFaults: ProcessFault[] = [];
  app: App | undefined;
  #life: Life = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #suspendedMs = 0;
  #suspendedFrom = Number.POSITIVE_INFINITY;
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

  /** The machine's monotonic clock. It stands still while the machine is suspended. */
  get monotonic(): number {
    return Math.min(this.#kernel.now, this.#suspendedFrom) - this.#suspendedMs;
  }

  isRunning(): boolean {
    return this.app !== undefined && !this.isPaused();
  }

  isPaused(): boolean {
    return this.#pausedUntil > this.#kernel.now;
  }

  /** Kills the process as with SIGKILL. It starts again after a while, without its memory. */
  crash(): void {
    if (this.app === undefined) return;
    const forMs = this.#random.int(RESTART_MS.min, RESTART_MS.max);
    this.#die(forMs);
    const { life } = this;
    this.#kernel.after(forMs, () => {
      if (life === this.#life) this.app = this.#start(this);
    });
  }

  /** Kills the process as with SIGKILL. It does not start again. */
  stop(): void {
    this.#die(Number.POSITIVE_INFINITY);
  }

  #die(forMs: number): void {
    this.#resume();
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

  /** Pauses the process as with SIGSTOP, or suspends its whole machine, and lets it continue after `ms`. */
  pause(ms: number, suspended: boolean): void {
    if (this.app === undefined || this.isPaused()) return;
    this.#pausedUntil = this.#kernel.now + ms;
    if (suspended) {
      this.#suspendedFrom = this.#kernel.now;
      const { life } = this;
      this.#kernel.after(ms, () => life === this.#life && this.#resume());
    }
    this.processFaults.push({ kind: "pause", replica: this.number, at: this.#kernel.now, until: this.#pausedUntil });
  }

  /** The monotonic clock goes on. */
  #resume(): void {
    if (this.#suspendedFrom > this.#kernel.now) return;
    this.#suspendedMs += this.#kernel.now - this.#suspendedFrom;
    this.#suspendedFrom = Number.POSITIVE_INFINITY;
  }

  /**
   * Continues the process with `run`. If the process is paused, `run` is called later. If it is dead, `run` is never
   * called.
   */
  enter(life: Life, run: () => void): void {
    if (life !== this.#life) return;
    if (this.isPaused()) this.#kernel.after(this.#pausedUntil - this.#kernel.now, () => this.enter(life, run));
    else run();
  }

  /**
   * Makes a port call with this name. `leave` runs when the call leaves the process. It calls `done` when the outcome
   * has arrived at the process. The process may die or be paused before or after the call leaves.
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
      const suspended = this.#random.chance(this.#faults.suspend);
      if (suspended) this.#fired.count("suspend");
      this.pause(ms, suspended);
    }
  }
}
