import { folded, type Names } from "../domain/game-name.ts";
import type { Game, Merchant, Product, Provider } from "../ports/settings-store.ts";
import type { Settings } from "./settings.ts";

/** Which games a listing has; null chooses nothing. */
export interface GamesWanted {
  readonly type: Product | null;
  /** A provider's code. */
  readonly provider: string | null;
  /** A part of the code or of the name in any language; case and accents don't matter. */
  readonly q: string | null;
  readonly demoAvailable: boolean | null;
  /** null: active and inactive ones. */
  readonly active: boolean | null;
  /** Milliseconds since 1970: games that changed then or later. */
  readonly updatedSince: number | null;
}

/** A game as merchants see it. */
export interface OfferedGame {
  readonly game: Game;
  /** A game of an inactive provider can't be launched, so it isn't active either. */
  readonly active: boolean;
  /** When anything of it changed last, its provider's coming and going included. Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Where a page ended. */
export interface CatalogPosition {
  readonly provider: string;
  readonly code: string;
}

export interface CatalogPage {
  readonly games: readonly OfferedGame[];
  /** How many games the whole selection has. */
  readonly total: number;
  /** Where the next page starts after; null: this was the last. */
  readonly next: CatalogPosition | null;
}

/** A provider as merchants see it. */
export interface OfferedProvider {
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** How many active games of the merchant's products it has. */
  readonly games: number;
}

interface Group {
  readonly provider: string;
  readonly games: readonly Game[];
}

/** The games of a merchant's products, out of the settings in memory: nothing here waits or queries. */
export class Catalog {
  readonly #settings: Settings;
  /** The settings' list that the groups were made of. */
  #grouped: readonly Game[] = [];
  #groups: readonly Group[] = [];
  /** What `q` is looked for in; settings replace the whole game when it changes. */
  readonly #texts = new WeakMap<Game, string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** One page of the selection, by provider and code as UTF-16 units compare, from behind `after` on. */
  games(merchant: Merchant, wanted: GamesWanted, limit: number, after: CatalogPosition | null): CatalogPage {
    const isWanted = this.#test(merchant, wanted);
    const games: OfferedGame[] = [];
    let total = 0;
    for (const group of this.#byProvider()) {
      if (wanted.provider !== null && group.provider !== wanted.provider) continue;
      const provider = this.#settings.provider(group.provider);
      for (const game of group.games) {
        if (!isWanted(game, provider)) continue;
        total += 1;
        // One more than the page holds tells that there is another.
        if (games.length <= limit && (after === null || isBehind(game, after))) games.push(offered(game, provider));
      }
    }
    if (games.length <= limit) return { games, total, next: null };
    const page = games.slice(0, limit);
    const last = page.at(-1)?.game;
    return { games: page, total, next: last === undefined ? null : { provider: last.provider, code: last.code } };
  }

  /** One game, an inactive one too; undefined when there is none, or its product isn't the merchant's. */
  game(merchant: Merchant, provider: string, code: string): OfferedGame | undefined {
    const game = this.#settings.game(provider, code);
    return game !== undefined && merchant.products.includes(game.type) ? offered(game, this.#settings.provider(provider)) : undefined;
  }

  /** Every provider by its code, inactive ones too. */
  providers(merchant: Merchant): readonly OfferedProvider[] {
    const counts = new Map<string, number>();
    for (const { provider: code, games } of this.#byProvider()) {
      const provider = this.#settings.provider(code);
      counts.set(code, games.filter((game) => merchant.products.includes(game.type) && isActive(game, provider)).length);
    }
    return this.#settings
      .providers()
      .map(({ code, name, active }) => ({ code, name, active, games: counts.get(code) ?? 0 }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
  }

  #test({ products }: Merchant, { type, q, demoAvailable, active, updatedSince }: GamesWanted): (game: Game, provider: Provider | undefined) => boolean {
    const types = products.filter((product) => type === null || product === type);
    const part = q === null ? null : folded(q);
    return (game, provider) =>
      types.includes(game.type) &&
      (demoAvailable === null || game.demoAvailable === demoAvailable) &&
      (active === null || isActive(game, provider) === active) &&
      (updatedSince === null || changedAt(game, provider) >= updatedSince) &&
      (part === null || this.#textOf(game).includes(part));
  }

  #textOf(game: Game): string {
    let text = this.#texts.get(game);
    if (text === undefined) {
      // Neither a name nor what is looked for has a line break, so nothing is found across two of them.
      text = [game.code, game.name, ...Object.values(namesOf(game))].map(folded).join("\n");
      this.#texts.set(game, text);
    }
    return text;
  }

  #byProvider(): readonly Group[] {
    const games = this.#settings.games();
    if (games !== this.#grouped) {
      this.#groups = [...Map.groupBy(games, (game) => game.provider)].map(([provider, theirs]) => ({ provider, games: theirs }));
      this.#grouped = games;
    }
    return this.#groups;
  }
}

/** The names of a game by language; its record was checked when it was stored. */
export const namesOf = ({ details }: Game): Names => (details.names as Names | undefined) ?? {};

const isActive = (game: Game, provider: Provider | undefined): boolean => game.active && provider?.active === true;

const changedAt = (game: Game, provider: Provider | undefined): number => Math.max(game.updatedAt, provider?.activeChangedAt ?? 0);

const offered = (game: Game, provider: Provider | undefined): OfferedGame => ({
  game,
  active: isActive(game, provider),
  updatedAt: changedAt(game, provider),
});

const isBehind = (game: Game, after: CatalogPosition): boolean =>
  game.provider > after.provider || (game.provider === after.provider && game.code > after.code);
