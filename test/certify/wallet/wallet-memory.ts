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
    if (this.#character.has("memory of 1000 of a player"))
      for (const player of books.players.keys()) {
        const own = [...books.applied].filter(([, { tx }]) => tx.player_id === player);
        for (const [key] of own.slice(0, -1_000)) books.applied.delete(key);
      }
    const lists = {
      "200 tombstones": books.tombstones,
      "200 rejections": books.rejected,
      "200 reversals": books.reversed,
    };
    for (const [bug, entries] of Object.entries(lists))
      if (this.#character.has(bug as keyof typeof lists))
        for (const key of [...entries.keys()].slice(0, -200)) entries.delete(key);
    if (this.#character.has("loses its memory") && !this.#isLost && books.applied.size >= LOST_AFTER) {
      this.#isLost = true;
      books.applied.clear();
    }
    if (this.#character.has("references for a second")) this.#old(books.applied);
    if (this.#character.has("memory of a second")) this.#expire(books.applied);
    if (this.#character.has("tombstones for a second")) this.#expire(books.tombstones);
    if (this.#character.has("rejections for a second")) this.#expire(books.rejected);
    if (this.#character.has("reversals for a second")) this.#expire(books.reversed);
    if (this.#character.has("rounds for a second"))
      for (const key of this.#old(books.rounds)) books.rounds.set(key, new Set(["closed"]));
  }

  /** Whether the wallet does not find this transaction any more when its reversal comes. */
  isTooOld(txId: string): boolean {
    return this.#character.has("references for a second") && this.#isOld(txId);
  }

  #expire(entries: Map<string, unknown> | Set<string>): void {
    for (const key of this.#old(entries)) entries.delete(key);
  }

  #old(entries: Map<string, unknown> | Set<string>): string[] {
    return [...entries.keys()].filter((key) => this.#isOld(key));
  }

  #isOld(key: string): boolean {
    const since = this.#since.get(key) ?? performance.now();
    this.#since.set(key, since);
    return performance.now() - since > A_SECOND_MS;
  }
}
