/** A small seeded generator (sfc32). The same seed gives the same run on every machine. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = stream | 0;
    for (let i = 0; i < 12; i++) this.#next();
  }

  /** In [0, 1). */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** A whole number from `min` to `max`, including both. */
  int(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** A time in ms from `min` to `max`, with a fraction of a millisecond, as a process's monotonic clock has it. */
  ms({ min, max }: { readonly min: number; readonly max: number }): number {
    return min + this.fraction() * (max - min);
  }

  /**
   * True in `share` of the cases. With a share of 0 it draws no number, so that a fault that is off does not change the
   * other random numbers of the run.
   */
  chance(share: number): boolean {
    return share > 0 && this.fraction() < share;
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.int(0, list.length - 1)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  /** 32 hex digits. */
  hex(): string {
    return Array.from({ length: 4 }, () => this.#next().toString(16).padStart(8, "0")).join("");
  }

  #next(): number {
    const t = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }
}
