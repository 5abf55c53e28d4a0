/** Counts open things by owner and in total, and says whether an owner may open one more. */
export class Quota<Owner> {
  readonly #shareOf: (open: number) => number;
  readonly #byOwner = new Map<Owner, number>();
  #open = 0;

  /** @param shareOf - how many one owner may have while `open` are open in total. */
  constructor(shareOf: (open: number) => number) {
    this.#shareOf = shareOf;
  }

  /** true: counted until {@link leave}. false: the owner may have no more now. */
  enter(owner: Owner): boolean {
    const own = this.#byOwner.get(owner) ?? 0;
    if (own >= this.#shareOf(this.#open)) return false;
    this.#byOwner.set(owner, own + 1);
    this.#open += 1;
    return true;
  }

  /** Call it once for each {@link enter} that returned true. */
  leave(owner: Owner): void {
    const own = this.#byOwner.get(owner) ?? 0;
    if (own > 1) this.#byOwner.set(owner, own - 1);
    else this.#byOwner.delete(owner);
    this.#open -= 1;
  }
}
