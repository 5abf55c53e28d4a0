import { PRODUCTS } from "../../../../contract/values/products.ts";
import { type Catalog, isSearchText, namesOf, type OfferedGame, SEARCH_MAX } from "../../../app/merchant/catalog.ts";
import { nameIn } from "../../../domain/catalog/game-name.ts";
import { ok } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { isProviderCode } from "../../../domain/values/identifiers.ts";
import { isLanguage } from "../../../domain/values/language.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { listing } from "../requests/listing.ts";
import { oneOf, type Parameter, time } from "../requests/query.ts";

/** The fields of a game that have the value of the last import; null: the import had no value. */
const DETAILS = [
  "images",
  "tags",
  "rtp",
  "volatility",
  "free_rounds",
  "jackpot",
  "platforms",
  "languages",
  "blocked_countries",
  "released_at",
] as const;

const ACTIVE = { true: true, false: false, all: null } as const;

const provider: Parameter<string> = {
  rule: "the code of a provider",
  message: FAULT_TEXTS.providerCode("provider"),
  read: (text) => (isProviderCode(text) ? text : undefined),
};
const searchText: Parameter<string> = {
  rule: `1..${SEARCH_MAX} characters`,
  message: FAULT_TEXTS.characters("q", SEARCH_MAX),
  read: (text) => (isSearchText(text) ? text : undefined),
};
/** A language in upper or lower case, with or without a region. A launch accepts the same texts. */
export const lang: Parameter<string> = {
  rule: "pt, es or en, with or without a region",
  message: FAULT_TEXTS.language("lang"),
  read: (text) => (isLanguage(text) ? text.toLowerCase() : undefined),
};

/** The route of GET /v1/games. */
export const listGames = (catalog: Catalog) =>
  listing({
    path: "/v1/games",
    query: {
      type: oneOf("type", PRODUCTS),
      provider,
      q: searchText,
      demo_available: oneOf("demo_available", ["true", "false"]),
      active: oneOf("active", ["true", "false", "all"]),
      updated_since: time("updated_since"),
      lang,
    },
    defaults: { active: "true" },
    limit: { standard: 100, max: 500 },
    answer: ({ merchant, query: { choice, limit, after, nextCursor } }) => {
      const selection = {
        type: choice.type ?? null,
        provider: choice.provider ?? null,
        q: choice.q ?? null,
        demoAvailable: choice.demo_available === undefined ? null : choice.demo_available === "true",
        active: ACTIVE[choice.active ?? "true"],
        updatedSince: choice.updated_since ?? null,
      };
      const position = after === null ? null : { provider: after.provider ?? "", code: after.code ?? "" };
      const { games, total, next } = catalog.games(merchant, selection, limit, position);
      const next_cursor = nextCursor(next && { ...next });
      return ok({
        message: SUCCESS_TEXTS.games,
        data: { items: games.map((game) => gameItem(game, choice.lang ?? null)), next_cursor, total },
        tagged: true,
      });
    },
  });

/** A game in the API's form. `name` is in `language` if the catalog has that name. */
export const gameItem = ({ game, active, updatedAt }: OfferedGame, language: string | null) => ({
  code: game.code,
  provider: game.provider,
  name: nameIn(language, game.name, namesOf(game)),
  type: game.type,
  demo_available: game.demoAvailable,
  active,
  ...Object.fromEntries(DETAILS.map((field) => [field, game.details[field] ?? null])),
  updated_at: new Date(updatedAt).toISOString(),
  // This field was added later than the others. It is absent if the catalog has no names by language.
  ...(game.details.names !== undefined && { names: game.details.names }),
});
