import type { Game } from "../../ports/settings-store.ts";

/** All games in memory, also inactive games. No method waits. */
export class GameCatalogue {
  readonly #byKey = new Map<string, Game>();
  readonly #byCode = new Map<string, readonly Game[]>();
  #inOrder: readonly Game[] = [];

  game(provider: string, code: string): Game | undefined {
    return this.#byKey.get(keyOf(provider, code));
  }

  /** The games with this code, at most one for each provider. */
  byCode(code: string): readonly Game[] {
    return this.#byCode.get(code) ?? [];
  }

  /** All games, sorted by provider and then by code, in the order of UTF-16 units. */
  all(): readonly Game[] {
    return this.#inOrder;
  }

  /**
   * Adds games. A game replaces the game with the same provider and code. The cost depends only on the number of added
   * games, apart from one copy of the sorted list.
   */
  set(games: readonly Game[]): void {
    for (const game of games) {
      this.#byKey.set(keyOf(game.provider, game.code), game);
      const others = this.byCode(game.code).filter((other) => other.provider !== game.provider);
      this.#byCode.set(game.code, [...others, game]);
    }
    if (games.length > 0) this.#inOrder = merged(this.#inOrder, [...games].sort(byProviderAndCode));
  }
}

const keyOf = (provider: string, code: string): string => `${provider}/${code}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byProviderAndCode = (a: Game, b: Game): number => compare(a.provider, b.provider) || compare(a.code, b.code);

/** Merges two sorted lists. If both have the same game, the newer game stays. */
function merged(list: readonly Game[], newer: readonly Game[]): Game[] {
  const all: Game[] = [];
  let next = 0;
  for (const game of newer) {
    const place = firstNotBefore(list, game, next);
    for (; next < place; next++) all.push(list[next] as Game);
    const known = list[place];
    if (known !== undefined && byProviderAndCode(known, game) === 0) next += 1;
    all.push(game);
  }
  return all.concat(list.slice(next));
}

/** The index of the first game, at or after `from`, that is not sorted before this game. */
function firstNotBefore(list: readonly Game[], game: Game, from: number): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byProviderAndCode(list[middle] as Game, game) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
