import { keyText, type TxKey } from "../../domain/values/identifiers.ts";

/** At least this many keys are remembered, and at most twice as many. */
const KEPT = 10_000;

/** The transactions whose rows this process tried to write or found, so that a repeat is read and not claimed. */
export class RecentKeys {
  #newest = new Set<string>();
  #older = new Set<string>();

  has(key: TxKey): boolean {
    const text = keyText(key);
    return this.#newest.has(text) || this.#older.has(text);
  }

  add(key: TxKey): void {
    if (this.#newest.size === KEPT) [this.#older, this.#newest] = [this.#newest, new Set()];
    this.#newest.add(keyText(key));
  }
}
