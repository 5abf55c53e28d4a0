import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Faults } from "./faults.ts";
import type { Fired } from "./fired.ts";
import type { Kernel } from "./kernel.ts";

/** The largest error of a machine's clock, in ms. */
export const SKEW_MS = 800;
/** Steps of a clock in ms, such as operators, NTP or a resumed virtual machine cause. */
const STEPS_MS = [180_000, -45_000, -300_000, 600_000, -600_000];
/** The total time by which the database's clock may step back. Leases and due times become longer by this time. */
const BACK_MAX_MS = 300_000;

export interface ClockLimits {
  readonly replicas: number;
  /**
   * The total time by which the database's clock may step forward. Leases and quiet periods become shorter by this
   * time.
   */
  readonly forwardMaxMs: number;
}

/**
 * The clocks of all machines: each replica's system clock, and the clock of its database node. All these clocks are
 * slightly wrong, and each may step. Only a process's monotonic clock agrees with the kernel.
 */
export class Clocks {
  /** The replica whose statement runs now. Its node's clock is the database's clock. */
  asking = 0;
  /** The times at which the database's clock stepped forward. */
  readonly forwardAt: number[] = [];
  readonly #system: number[];
  readonly #nodes: readonly number[];
  #database = 0;
  #forwardLeft: number;
  #backLeft = BACK_MAX_MS;
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #fired: Fired;

  constructor(
    { replicas, forwardMaxMs }: ClockLimits,
    kernel: Kernel,
    faults: Faults,
    random: SeededRandom,
    fired: Fired,
  ) {
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#fired = fired;
    this.#forwardLeft = forwardMaxMs;
    const skews = () => Array.from({ length: replicas }, () => random.int(-SKEW_MS, SKEW_MS));
    this.#system = skews();
    this.#nodes = faults.nodeSkew > 0 ? skews() : this.#system.map(() => 0);
    if (faults.nodeSkew > 0) fired.count("nodeSkew");
  }

  /** Called once a second. It may step a clock. */
  tick(): void {
    if (this.#random.chance(this.#faults.clockStep)) {
      const replica = this.#random.int(0, this.#system.length - 1);
      this.#system[replica] = (this.#system[replica] ?? 0) + this.#random.pick(STEPS_MS);
      this.#fired.count("clockStep");
    }
    if (this.#random.chance(this.#faults.dbClockBack) && this.#backLeft > 0) {
      const ms = this.#random.pick([45_000, this.#backLeft, this.#random.int(1, this.#backLeft)]);
      this.#backLeft -= ms;
      this.#database -= ms;
      this.#fired.count("dbClockBack");
    }
    if (this.#random.chance(this.#faults.dbClockForward) && this.#forwardLeft > 0) {
      const ms = this.#random.int(1, this.#forwardLeft);
      this.#forwardLeft -= ms;
      this.#database += ms;
      this.forwardAt.push(this.#kernel.now);
      this.#fired.count("dbClockForward");
    }
  }

  /** A replica's system clock, in whole milliseconds as in JavaScript. */
  system(replica: number): number {
    return Math.floor(this.#kernel.now + (this.#system[replica] ?? 0));
  }

  /** The time of the database's clock for the statement that runs now. */
  database(): number {
    return Math.floor(this.#kernel.now + this.#database + (this.#nodes[this.asking] ?? 0));
  }
}
