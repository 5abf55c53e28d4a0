import type { Game, Merchant } from "../ports/settings-store.ts";
import type { Settings } from "./settings.ts";

/** Where a page of the catalogue ended. */
export interface CatalogPosition {
  readonly provider: string;
  readonly code: string;
}

export interface CatalogPage {
  readonly games: readonly Game[];
  /** How many games the whole selection has. */
  readonly total: number;
  /** Where the next page starts after; null: this was the last. */
  readonly next: CatalogPosition | null;
}

/** The games that a merchant may offer, out of the settings in memory. */
export class Catalog {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The active games of the merchant's products, by provider and code, from behind `after` on. */
  page(merchant: Merchant, limit: number, after: CatalogPosition | null): CatalogPage {
    const offered = this.#settings.games().filter((game) => merchant.products.includes(game.type) && this.#isActive(game));
    const left = after === null ? offered : offered.filter((game) => isBehind(game, after));
    const games = left.slice(0, limit);
    const last = games.at(-1);
    return { games, total: offered.length, next: last === undefined || left.length <= limit ? null : { provider: last.provider, code: last.code } };
  }

  /** A game of an inactive provider can't be launched, so it isn't active either. */
  #isActive(game: Game): boolean {
    return game.active && this.#settings.provider(game.provider)?.active === true;
  }
}

const isBehind = (game: Game, after: CatalogPosition): boolean =>
  game.provider > after.provider || (game.provider === after.provider && game.code > after.code);
