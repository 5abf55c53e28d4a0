/** The number of calls after which the merchants are compared again. */
const LOOK_EVERY_CALLS = 1_000;
/**
 * A merchant takes the label of another merchant if it has this many times as many calls. So labels do not change
 * often.
 */
const MUCH_MORE = 2;

export const OTHER = "other";

/**
 * Gives the merchants with most calls their own label, and all others the label `other`. So the number of series is
 * limited, however many merchants there are. If a merchant without its own label has many more calls than a merchant
 * with one, it gets that merchant's place.
 */
export class TopMerchants {
  /** The number of calls by merchant. Each comparison halves the numbers, so that old calls count less and less. */
  #calls = new Map<string, number>();
  readonly #labelled = new Set<string>();
  #callsToLook = LOOK_EVERY_CALLS;
  readonly #max: number;
  readonly #dropped: (merchant: string) => void;

  /** @param dropped - called with a merchant that loses its label. */
  constructor(max: number, dropped: (merchant: string) => void) {
    this.#max = max;
    this.#dropped = dropped;
  }

  /** Counts a call of this merchant and returns its label. */
  labelOf(merchant: string): string {
    this.#calls.set(merchant, (this.#calls.get(merchant) ?? 0) + 1);
    if (this.#labelled.size < this.#max) this.#labelled.add(merchant);
    this.#callsToLook -= 1;
    if (this.#callsToLook === 0) this.#look();
    return this.#labelled.has(merchant) ? merchant : OTHER;
  }

  #look(): void {
    this.#callsToLook = LOOK_EVERY_CALLS;
    const busiestFirst = (merchants: Iterable<string>) => [...merchants].sort((a, b) => this.#of(b) - this.#of(a));
    const others = busiestFirst([...this.#calls.keys()].filter((merchant) => !this.#labelled.has(merchant)));
    const quietest = busiestFirst(this.#labelled).reverse();
    for (const [i, merchant] of others.entries()) {
      const out = quietest[i];
      if (out === undefined || this.#of(merchant) <= MUCH_MORE * this.#of(out)) break;
      this.#labelled.delete(out);
      this.#dropped(out);
      this.#labelled.add(merchant);
    }
    const halved = [...this.#calls].map(([merchant, calls]) => [merchant, Math.floor(calls / 2)] as const);
    this.#calls = new Map(halved.filter(([, calls]) => calls > 0));
  }

  #of(merchant: string): number {
    return this.#calls.get(merchant) ?? 0;
  }
}
