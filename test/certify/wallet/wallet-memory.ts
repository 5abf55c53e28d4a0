/** What the wallet under test forgets: planted mistakes of caches. */
import type { Books, Character } from "./wallet-habits.ts";

const A_SECOND_MS = 1_000;
const LOST_AFTER = 700;

export class WalletMemory {
  readonly #character: Character;
  #isLost = false;
  /** When each entry of the books was seen first. */
  readonly #since = new Map<string, number>();

  constructor(character: Character) {
    this.#character = character;
  }

  forget(books: Books): void {
    const limits = { "short memory": 15, "memory of 200": 200, "memory of 1000": 1_000 } as const;
    for (const [bug, limit] of Object.entries(limits))
      if (this.#character.has(bug as keyof typeof limits))
        for (const key of [...books.applied.keys()].slice(0, -limit)) books.applied.delete(key);
    if (this.#character.has("loses its memory") && !this.#isLost && books.applied.size >= LOST_AFTER) {
      this.#isLost = true;
      books.applied.clear();
    }
    if (this.#character.has("memory of a second")) this.#expire(books.applied);
    if (this.#character.has("tombstones for a second")) this.#expire(books.tombstones);
    if (this.#character.has("rejections for a second")) this.#expire(books.rejected);
  }

  #expire(entries: Map<string, unknown> | Set<string>): void {
    for (const key of [...entries.keys()]) {
      const since = this.#since.get(key) ?? performance.now();
      this.#since.set(key, since);
      if (performance.now() - since > A_SECOND_MS) entries.delete(key);
    }
  }
}
