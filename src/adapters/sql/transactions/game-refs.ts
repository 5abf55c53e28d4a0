import type { GameRef } from "../../../domain/transaction/transaction.ts";
import type { ProviderCode } from "../../../domain/values/identifiers.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows } from "../connection/execute.ts";
import { marks } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";

/**
 * The codes of games and of their providers, by the game's row number. Codes never change, so each is read only once.
 */
export class GameRefs {
  readonly #known = new Map<number, GameRef>();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads these games unless they are known. Call this before {@link of}. */
  async load(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    const found = await decisiveRows(this.#database, {
      sql: `SELECT games.id, games.code, games.provider_id, providers.code AS provider
            FROM games JOIN providers ON providers.id = games.provider_id WHERE games.id IN (${marks(missing)})`,
      bindings: missing,
    });
    for (const row of found) {
      const [id, provider] = [Number(row.id), textOf(row.provider) as ProviderCode];
      this.#known.set(id, {
        id,
        code: textOf(row.code),
        providerId: Number(row.provider_id),
        provider,
      });
    }
  }

  of(id: number): GameRef {
    const game = this.#known.get(id);
    if (game === undefined) throw new Error(`tx.game_id names no game: ${id}`);
    return game;
  }
}
