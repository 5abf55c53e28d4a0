import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Faults } from "./faults.ts";
import type { Fired } from "./fired.ts";
import type { Kernel } from "./kernel.ts";

const STOPPED_WITHIN_MS = 1_500;
const RELEASED_WITHIN_MS = 4_000;

export const linkToDatabase = (replica: number): string => `database ${replica}`;
export const linkToWallet = (replica: number, merchant: string): string => `wallet ${replica} ${merchant}`;
export const linkToProvider = (replica: number): string => `provider ${replica}`;

/**
 * The connections between processes. Some of them clog one after the other, and are released in another order
 * ("swizzle-clogging"). Meanwhile the messages in both directions wait. Afterwards they are delivered in their order.
 */
export class Links {
  /** The messages that wait at each clogged link. */
  readonly #held = new Map<string, (() => void)[]>();
  #swizzling = false;
  #healed = false;
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #fired: Fired;
  readonly #names: readonly string[];

  constructor(names: readonly string[], kernel: Kernel, faults: Faults, random: SeededRandom, fired: Fired) {
    this.#names = names;
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#fired = fired;
  }

  /** Called once a second. It may clog a few links one by one, and later release them one by one. */
  tick(): void {
    if (this.#swizzling || !this.#random.chance(this.#faults.clog)) return;
    const chosen = this.#names.filter(() => this.#random.chance(0.5));
    let at = 0;
    for (const name of this.#shuffled(chosen)) {
      at += this.#random.int(0, STOPPED_WITHIN_MS);
      this.#kernel.after(at, () => this.#stop(name));
    }
    for (const name of this.#shuffled(chosen)) {
      at += this.#random.int(0, RELEASED_WITHIN_MS);
      this.#kernel.after(at, () => this.#release(name));
    }
    this.#swizzling = true;
    this.#kernel.after(at, () => {
      this.#swizzling = false;
    });
  }

  heal(): void {
    this.#healed = true;
    for (const name of this.#names) this.#release(name);
  }

  /** Delivers a message of the call `what`, at once or when its link is released. */
  pass(name: string, what: string, run: () => void): void {
    const held = this.#held.get(name);
    if (held === undefined) return run();
    this.#fired.count("clog", what);
    held.push(run);
  }

  #stop(name: string): void {
    if (!this.#healed && !this.#held.has(name)) this.#held.set(name, []);
  }

  #release(name: string): void {
    const held = this.#held.get(name) ?? [];
    this.#held.delete(name);
    for (const run of held) this.#kernel.after(0, run);
  }

  #shuffled(names: readonly string[]): string[] {
    return names
      .map((name) => ({ name, at: this.#random.fraction() }))
      .sort((a, b) => a.at - b.at)
      .map(({ name }) => name);
  }
}
