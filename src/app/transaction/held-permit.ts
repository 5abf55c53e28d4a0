import type { Permit } from "../capacity/wallet-permits.ts";

/** The place of one drive: held or not, given back or passed on once. */
export class HeldPermit {
  #permit: Permit | undefined;

  constructor(permit: Permit | undefined) {
    this.#permit = permit;
  }

  get has(): boolean {
    return this.#permit !== undefined;
  }

  put(permit: Permit | undefined): void {
    this.#permit = permit;
  }

  /** Hands the place to who gives it back. */
  pass(): Permit {
    const permit = this.#permit;
    if (permit === undefined) throw new Error("no place is held");
    this.#permit = undefined;
    return permit;
  }

  release(): void {
    this.#permit?.release();
    this.#permit = undefined;
  }
}
