import type { Place } from "../capacity/wallet-permits.ts";

/** The place of one drive: held or not, given back or passed on once. */
export class Hold {
  #place: Place | undefined;

  constructor(place: Place | undefined) {
    this.#place = place;
  }

  get has(): boolean {
    return this.#place !== undefined;
  }

  put(place: Place | undefined): void {
    this.#place = place;
  }

  /** Hands the place to who gives it back. */
  pass(): Place {
    const place = this.#place;
    if (place === undefined) throw new Error("no place is held");
    this.#place = undefined;
    return place;
  }

  release(): void {
    this.#place?.release();
    this.#place = undefined;
  }
}
