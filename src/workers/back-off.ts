const FIRST_MS = 100;
const LONGEST_MS = 10_000;
/** A process that ran for this long counts as healthy. */
const HEALTHY_MS = 30_000;

/** The pauses before a dead process is started again: 100 ms, doubled each time, at most 10 s. */
export class BackOff {
  #deaths = 0;

  /** @param ranMs - for how long the dead process had run. After 30 s or more the pauses begin at 100 ms again. */
  next(ranMs: number): number {
    if (ranMs >= HEALTHY_MS) this.#deaths = 0;
    return Math.min(FIRST_MS * 2 ** this.#deaths++, LONGEST_MS);
  }
}
