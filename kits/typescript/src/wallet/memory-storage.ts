import type { Books, Entry, Player, Storage } from "./storage.ts";
import { Turns } from "./turns.ts";

interface MerchantBooks {
  readonly players: Map<string, Player>;
  readonly entries: Map<string, Entry>;
  readonly reversed: Set<string>;
}

/** A storage in memory, for tests. Its data are lost when the process ends. Transactions run one after the other. */
export class MemoryStorage implements Storage {
  readonly #merchants = new Map<string, MerchantBooks>();
  readonly #turns = new Turns();

  /** Adds a player, or replaces the stored player. */
  setPlayer(merchant: string, playerId: string, player: Player): void {
    this.#of(merchant).players.set(playerId, player);
  }

  balanceOf(merchant: string, playerId: string): bigint | undefined {
    return this.#of(merchant).players.get(playerId)?.balance;
  }

  transaction<T>(merchant: string, playerId: string, work: (books: Books) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      const { players, entries, reversed } = this.#of(merchant);
      const player = players.get(playerId);
      const added: Entry[] = [];
      let balance = player?.balance;
      const result = await work({
        player,
        find: async (txId) => added.find((entry) => entry.txId === txId) ?? entries.get(txId),
        isReversed: async (txId) => reversed.has(txId),
        add: async (entry) => void added.push(entry),
        setBalance: async (changed) => {
          balance = changed;
        },
      });
      for (const entry of added) {
        entries.set(entry.txId, entry);
        if (entry.state === "applied" && entry.refTxId !== null) reversed.add(entry.refTxId);
      }
      if (player !== undefined && balance !== undefined) players.set(playerId, { ...player, balance });
      return result;
    });
  }

  #of(merchant: string): MerchantBooks {
    const books = this.#merchants.get(merchant) ?? { players: new Map(), entries: new Map(), reversed: new Set() };
    this.#merchants.set(merchant, books);
    return books;
  }
}
