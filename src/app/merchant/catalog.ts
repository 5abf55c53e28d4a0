import { folded, type Names, namesIn } from "../../domain/catalog/game-name.ts";
import type { Game, Merchant, Product, Provider } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** Which games a listing contains. null: the field excludes no game. */
export interface GameSelection {
  readonly type: Product | null;
  /** A provider's code. */
  readonly provider: string | null;
  /** A part of the code, or of the name in any language. Case and accents do not matter. */
  readonly q: string | null;
  readonly demoAvailable: boolean | null;
  /** Only active games, or only inactive games. null: both. */
  readonly active: boolean | null;
  /** Only games that changed at this time or later, in ms since 1970. */
  readonly updatedSince: number | null;
}

/** A game as merchants see it. */
export interface OfferedGame {
  readonly game: Game;
  /** Whether both the game and its provider are active, so that the game can be launched. */
  readonly active: boolean;
  /** When the game last changed, or when its provider last became active or inactive. In ms since 1970. */
  readonly updatedAt: number;
}

/** The last game of a page. */
export interface CatalogPosition {
  readonly provider: string;
  readonly code: string;
}

export interface CatalogPage {
  readonly games: readonly OfferedGame[];
  /** The number of all games that match the selection. */
  readonly total: number;
  /** The position after which the next page begins; null: this was the last page. */
  readonly next: CatalogPosition | null;
}

/** A provider as merchants see it. */
export interface OfferedProvider {
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** The number of the provider's active games that belong to the merchant's products. */
  readonly games: number;
}

/** The number of selections that are kept in memory, so that a listing of many pages selects its games only once. */
const SELECTIONS_MAX = 32;

/** The games of a merchant's products, from the settings in memory. No method waits or queries. */
export class Catalog {
  readonly #settings: Settings;
  /**
   * The sorted games of each selection at the time of `#revision`. The key is the selection as text. The selection that
   * was not used for the longest time comes first.
   */
  readonly #selections = new Map<string, readonly Game[]>();
  #revision = -1;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * One page of the selection, beginning after `after`. Games are sorted by provider and code, in the order of UTF-16
   * units.
   */
  games(merchant: Merchant, selection: GameSelection, limit: number, after: CatalogPosition | null): CatalogPage {
    const selected = this.#select(merchant, selection);
    const from = after === null ? 0 : firstAfter(selected, after);
    const games = selected
      .slice(from, from + limit)
      .map((game) => offered(game, this.#settings.provider(game.provider)));
    const last = from + limit < selected.length ? games.at(-1)?.game : undefined;
    return {
      games,
      total: selected.length,
      next: last === undefined ? null : { provider: last.provider, code: last.code },
    };
  }

  /** One game, active or not. Undefined: the game does not exist, or the merchant does not have its product. */
  game(merchant: Merchant, provider: string, code: string): OfferedGame | undefined {
    const game = this.#settings.game(provider, code);
    return game !== undefined && merchant.products.includes(game.type)
      ? offered(game, this.#settings.provider(provider))
      : undefined;
  }

  /** All providers, active or not, sorted by code. */
  providers(merchant: Merchant): readonly OfferedProvider[] {
    const games = this.#select(merchant, ACTIVE_GAMES);
    const providers = this.#settings.providers().toSorted((a, b) => (a.code < b.code ? -1 : 1));
    // Games are sorted by provider, and no game has an empty code. So this position is just before the provider's
    // games.
    const from = providers.map(({ code }) => firstAfter(games, { provider: code, code: "" }));
    return providers.map(({ code, name, active }, i) => ({
      code,
      name,
      active,
      games: (from[i + 1] ?? games.length) - (from[i] ?? 0),
    }));
  }

  #select({ products }: Merchant, selection: GameSelection): readonly Game[] {
    if (this.#revision !== this.#settings.revision) {
      this.#selections.clear();
      this.#revision = this.#settings.revision;
    }
    const types = products.filter((product) => selection.type === null || product === selection.type);
    const key = JSON.stringify({ ...selection, type: types.toSorted() });
    const matches = gameTest(types, selection);
    const chosen =
      this.#selections.get(key) ??
      this.#settings.games().filter((game) => matches(game, this.#settings.provider(game.provider)));
    // Moves the selection to the end of the map, so that the selection unused for the longest time is deleted first.
    this.#selections.delete(key);
    this.#selections.set(key, chosen);
    const [oldest] = this.#selections.keys();
    if (this.#selections.size > SELECTIONS_MAX && oldest !== undefined) this.#selections.delete(oldest);
    return chosen;
  }
}

/** The selection of all active games. */
const ACTIVE_GAMES: GameSelection = {
  type: null,
  provider: null,
  q: null,
  demoAvailable: null,
  active: true,
  updatedSince: null,
};

type Test = (game: Game, provider: Provider | undefined) => boolean;

function gameTest(
  types: readonly Product[],
  { provider: code, q, demoAvailable, active, updatedSince }: GameSelection,
): Test {
  const part = q === null ? null : folded(q);
  return (game, provider) =>
    (code === null || game.provider === code) &&
    types.includes(game.type) &&
    (demoAvailable === null || game.demoAvailable === demoAvailable) &&
    (active === null || isActive(game, provider) === active) &&
    (updatedSince === null || changedAt(game, provider) >= updatedSince) &&
    (part === null || game.searchText.includes(part));
}

/** The maximum of characters (code points) of the text that a listing of games looks for. */
export const SEARCH_MAX = 128;

export const isSearchText = (text: string): boolean =>
  text !== "" && [...text].length <= SEARCH_MAX && !/\p{Cc}/u.test(text);

/** The names of a game by language. */
export const namesOf = ({ details }: Game): Names => namesIn(details);

const isActive = (game: Game, provider: Provider | undefined): boolean => game.active && provider?.active === true;

const changedAt = (game: Game, provider: Provider | undefined): number =>
  Math.max(game.updatedAt, provider?.activeChangedAt ?? 0);

const offered = (game: Game, provider: Provider | undefined): OfferedGame => ({
  game,
  active: isActive(game, provider),
  updatedAt: changedAt(game, provider),
});

const isAfter = (game: Game, after: CatalogPosition): boolean =>
  game.provider > after.provider || (game.provider === after.provider && game.code > after.code);

/** The index of the first game after a position, by binary search. */
function firstAfter(games: readonly Game[], after: CatalogPosition): number {
  let [from, to] = [0, games.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isAfter(games[middle] as Game, after)) to = middle;
    else from = middle + 1;
  }
  return from;
}
