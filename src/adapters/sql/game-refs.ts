import type { ProviderCode } from "../../domain/identifiers.ts";
import type { GameRef } from "../../domain/transaction.ts";
import type { Database } from "./database.ts";

/** Codes of games and their providers by row number. They never change, so each is read once. */
export class GameRefs {
  readonly #known = new Map<number, GameRef>();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Makes {@link of} know these games. */
  async load(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    const found = await this.#database
      .decisive("games")
      .join("providers", "providers.id", "games.provider_id")
      .whereIn("games.id", missing)
      .select("games.id", "games.code", "games.provider_id", "providers.code as provider");
    for (const row of found)
      this.#known.set(Number(row.id), { id: Number(row.id), code: row.code, providerId: Number(row.provider_id), provider: row.provider as ProviderCode });
  }

  of(id: number): GameRef {
    const game = this.#known.get(id);
    if (game === undefined) throw new Error(`tx.game_id names no game: ${id}`);
    return game;
  }
}
