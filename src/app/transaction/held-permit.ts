import type { Permit } from "../capacity/wallet-permits.ts";

/** A permit that may be absent. A present permit is released or passed on once. */
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

  /** Hands the permit over. The receiver releases it. */
  pass(): Permit {
    const permit = this.#permit;
    if (permit === undefined) throw new Error("no permit is held");
    this.#permit = undefined;
    return permit;
  }

  release(): void {
    this.#permit?.release();
    this.#permit = undefined;
  }
}
