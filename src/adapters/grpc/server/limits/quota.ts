/** Counts open objects by owner and in total, and decides whether an owner may open another one. */
export class Quota<Owner> {
  readonly #shareOf: (open: number) => number;
  readonly #byOwner = new Map<Owner, number>();
  #open = 0;

  /** @param shareOf - returns how many objects one owner may have while `open` objects are open in total. */
  constructor(shareOf: (open: number) => number) {
    this.#shareOf = shareOf;
  }

  /**
   * true: one more object of this owner is counted, until {@link leave}. false: the owner may have no more objects now.
   */
  enter(owner: Owner): boolean {
    const own = this.#byOwner.get(owner) ?? 0;
    if (own >= this.#shareOf(this.#open)) return false;
    this.#byOwner.set(owner, own + 1);
    this.#open += 1;
    return true;
  }

  /** Call this function once for each {@link enter} that returned true. */
  leave(owner: Owner): void {
    const own = this.#byOwner.get(owner) ?? 0;
    if (own > 1) this.#byOwner.set(owner, own - 1);
    else this.#byOwner.delete(owner);
    this.#open -= 1;
  }
}
