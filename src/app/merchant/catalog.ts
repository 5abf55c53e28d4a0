import { folded, type Names, namesIn } from "../../domain/catalog/game-name.ts";
import type { Game, Merchant, Product, Provider } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** Which games a listing has; null chooses nothing. */
export interface GameSelection {
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

/** So many selections are remembered, so that a walk through the pages of one chooses once. */
const SELECTIONS_MAX = 32;

/** The games of a merchant's products, out of the settings in memory: nothing here waits or queries. */
export class Catalog {
  readonly #settings: Settings;
  /** Each selection's games in their order, by what was wanted; the longest unused first. As the settings were at the revision. */
  readonly #selections = new Map<string, readonly Game[]>();
  #revision = -1;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** One page of the selection, by provider and code as UTF-16 units compare, from behind `after` on. */
  games(merchant: Merchant, selection: GameSelection, limit: number, after: CatalogPosition | null): CatalogPage {
    const selection = this.#select(merchant, selection);
    const from = after === null ? 0 : firstAfter(selection, after);
    const games = selection.slice(from, from + limit).map((game) => offered(game, this.#settings.provider(game.provider)));
    const last = from + limit < selection.length ? games.at(-1)?.game : undefined;
    return { games, total: selection.length, next: last === undefined ? null : { provider: last.provider, code: last.code } };
  }

  /** One game, an inactive one too; undefined when there is none, or its product isn't the merchant's. */
  game(merchant: Merchant, provider: string, code: string): OfferedGame | undefined {
    const game = this.#settings.game(provider, code);
    return game !== undefined && merchant.products.includes(game.type) ? offered(game, this.#settings.provider(provider)) : undefined;
  }

  /** Every provider by its code, inactive ones too. */
  providers(merchant: Merchant): readonly OfferedProvider[] {
    const games = this.#select(merchant, ACTIVE_GAMES);
    const providers = this.#settings.providers().toSorted((a, b) => (a.code < b.code ? -1 : 1));
    // Games are sorted by provider, and no code is empty.
    const from = providers.map(({ code }) => firstAfter(games, { provider: code, code: "" }));
    return providers.map(({ code, name, active }, i) => ({ code, name, active, games: (from[i + 1] ?? games.length) - (from[i] ?? 0) }));
  }

  #select({ products }: Merchant, selection: GameSelection): readonly Game[] {
    if (this.#revision !== this.#settings.revision) {
      this.#selections.clear();
      this.#revision = this.#settings.revision;
    }
    const types = products.filter((product) => selection.type === null || product === selection.type);
    const key = JSON.stringify({ ...selection, type: types.toSorted() });
    const matches = gameTest(types, selection);
    const chosen = this.#selections.get(key) ?? this.#settings.games().filter((game) => matches(game, this.#settings.provider(game.provider)));
    // The last one used is the last one dropped.
    this.#selections.delete(key);
    this.#selections.set(key, chosen);
    const [oldest] = this.#selections.keys();
    if (this.#selections.size > SELECTIONS_MAX && oldest !== undefined) this.#selections.delete(oldest);
    return chosen;
  }
}

/** Whatever is offered now. */
const ACTIVE_GAMES: GameSelection = { type: null, provider: null, q: null, demoAvailable: null, active: true, updatedSince: null };

type Test = (game: Game, provider: Provider | undefined) => boolean;

function gameTest(types: readonly Product[], { provider: code, q, demoAvailable, active, updatedSince }: GameSelection): Test {
  const part = q === null ? null : folded(q);
  return (game, provider) =>
    (code === null || game.provider === code) &&
    types.includes(game.type) &&
    (demoAvailable === null || game.demoAvailable === demoAvailable) &&
    (active === null || isActive(game, provider) === active) &&
    (updatedSince === null || changedAt(game, provider) >= updatedSince) &&
    (part === null || game.searchText.includes(part));
}

/** The names of a game by language. */
export const namesOf = ({ details }: Game): Names => namesIn(details);

const isActive = (game: Game, provider: Provider | undefined): boolean => game.active && provider?.active === true;

const changedAt = (game: Game, provider: Provider | undefined): number => Math.max(game.updatedAt, provider?.activeChangedAt ?? 0);

const offered = (game: Game, provider: Provider | undefined): OfferedGame => ({
  game,
  active: isActive(game, provider),
  updatedAt: changedAt(game, provider),
});

const isAfter = (game: Game, after: CatalogPosition): boolean => game.provider > after.provider || (game.provider === after.provider && game.code > after.code);

/** Where the games behind a position begin: they are sorted. */
function firstAfter(games: readonly Game[], after: CatalogPosition): number {
  let [from, to] = [0, games.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isAfter(games[middle] as Game, after)) to = middle;
    else from = middle + 1;
  }
  return from;
}
