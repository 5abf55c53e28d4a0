import { type FieldChange, type Fields, isSameJson } from "../../domain/access/audit.ts";
import { DETAIL_FIELDS, gameFaults, readDetails } from "../../domain/catalog/game.ts";
import { SPORTSBOOK } from "../../domain/catalog/provider.ts";
import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { ProviderCode } from "../../domain/values/identifiers.ts";
import type { Game, GameRecord } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type AdminRequest, auditEntry, type Changes, notFound, reasonFaults, refuseFaults } from "./changes.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";

/** Changed fields of a game. undefined: the field does not change. */
export interface GameInput {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly demoAvailable?: boolean | undefined;
  readonly active?: boolean | undefined;
  /** New values of the optional fields, by their names in the API. */
  readonly details: Fields;
  /** The optional fields whose values are deleted. */
  readonly clear: readonly string[];
}

/** Which games a listing contains. An empty field excludes no game. */
export interface GameListFilter {
  readonly provider: string;
  readonly type: string;
  readonly active: boolean | undefined;
  /** A part of the name or code, in upper or lower case. */
  readonly q: string;
}

/** Changes and shows games of the catalog. */
export class Games {
  readonly #changes: Changes;
  readonly #settings: Settings;

  constructor(changes: Changes, settings: Settings) {
    this.#changes = changes;
    this.#settings = settings;
  }

  /** Changes a game. Returns the game as it is stored. Its time of change is by the database's clock. */
  async set(request: AdminRequest, provider: string, code: string, input: GameInput): Promise<Result<Game>> {
    const made = await this.#changes.make(
      { providers: [provider as ProviderCode], games: [code] },
      ({ games: [known] }) => {
        if (known === undefined) return notFound("code");
        const { details, faults } = readDetails(detailsOf(known, input));
        const game: Game = {
          ...known,
          name: input.name ?? known.name,
          demoAvailable: input.demoAvailable ?? known.demoAvailable,
          active: input.active ?? known.active,
          details,
        };
        const changes = gameChanges(known, game);
        const faultsFound = [
          // Faults of unchanged fields are left out.
          ...gameFaults({ ...game, provider }).filter(({ field }) => changes.some((change) => change.field === field)),
          ...(input.type === undefined || input.type === known.type ? [] : [typeFault(known)]),
          ...faults,
          ...input.clear
            .filter((field) => !DETAIL_FIELDS.includes(field))
            .map(() => fieldFault("clear", `any of ${DETAIL_FIELDS.join(", ")}`)),
          ...(provider === SPORTSBOOK && game.demoAvailable
            ? [fieldFault("demo_available", "false for the sportsbook")]
            : []),
          ...reasonFaults(request),
        ];
        if (faultsFound.length > 0) return refuseFaults(faultsFound);
        if (changes.length === 0) return ok({ writes: [], audit: [], value: known });
        const audit = [auditEntry(request, "game set", `game ${provider}/${code}`, changes)];
        return ok({ writes: [{ kind: "games", provider: known.provider, games: [game] }], audit, value: game });
      },
    );
    // If this replica knows the stored game by now, the answer is that game, because it has its time of change.
    return made.ok ? ok(this.#settings.game(provider, code) ?? made.value) : made;
  }

  /**
   * A game, even if it is inactive.
   *
   * @param provider - may be empty if only one provider has a game with this code.
   */
  get(provider: string, code: string): Promise<Result<Game>> {
    return this.#changes.readGames(() => {
      const [game, ...others] =
        provider === "" ? this.#settings.gamesByCode(code) : [this.#settings.game(provider, code)];
      if (others.length > 0) return refuse("AMBIGUOUS_GAME", { field: "provider" });
      return game === undefined ? notFound("code") : ok(game);
    });
  }

  list(wanted: GameListFilter, pageRequest: PageRequest): Promise<Result<Page<Game> & { readonly total: number }>> {
    return this.#changes.readGames(() => {
      const games = this.#settings.games().filter((game) => isWanted(game, wanted));
      const page = pageOf("games", games, ({ provider, code }) => [provider, code], pageRequest);
      return page.ok ? ok({ ...page.value, total: games.length }) : page;
    });
  }
}

const isWanted = (game: Game, { provider, type, active, q }: GameListFilter): boolean =>
  (provider === "" || game.provider === provider) &&
  (type === "" || game.type === type) &&
  (active === undefined || game.active === active) &&
  (q === "" || [game.name, game.code].some((text) => text.toLowerCase().includes(q.toLowerCase())));

const detailsOf = (known: Game, input: GameInput): Fields => ({
  ...known.details,
  ...input.details,
  ...Object.fromEntries(input.clear.map((field) => [field, null])),
});

/**
 * The fault of a changed type. An existing game keeps its type, because hourly sums are kept by type and must always
 * match its transactions.
 */
export const typeFault = ({ type }: GameRecord): FieldFault =>
  fieldFault("type", `${type}, for the type of a game never changes`);

/** The changed fields of a game, by their names in the API, without its type. null: the field has no value. */
export function gameChanges(before: GameRecord, after: GameRecord): FieldChange[] {
  const changes: FieldChange[] = [];
  const compare = (field: string, from: unknown, to: unknown): void => {
    if (!isSameJson(from, to)) changes.push({ field, from, to });
  };
  compare("name", before.name, after.name);
  compare("demo_available", before.demoAvailable, after.demoAvailable);
  compare("active", before.active, after.active);
  for (const field of DETAIL_FIELDS) compare(field, before.details[field] ?? null, after.details[field] ?? null);
  return changes;
}
