import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { ID, INSTANT, LANGUAGE, PROVIDER, SHORT_TEXT } from "./forms.ts";
import { cursor, type Described, inPath, limit, nextCursor, query } from "./operation.ts";
import { array, choice, count, described, flag, named, nullable, object, type Schema, text, time } from "./schema.ts";

const example = {
  code: "solar-crown",
  provider: "AURORA",
  name: "Solar Crown",
  type: "slot",
  demo_available: true,
  active: true,
  images: {
    thumb: "https://cdn.aurora.example/solar-crown/thumb.webp",
    square: "https://cdn.aurora.example/solar-crown/square.webp",
    background: null,
  },
  tags: ["adventure"],
  rtp: 96.2,
  volatility: "high",
  free_rounds: true,
  jackpot: false,
  platforms: ["desktop", "mobile"],
  languages: ["pt", "es", "en"],
  blocked_countries: ["US"],
  released_at: "2025-03-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

const texts = (description: string): Schema => nullable(array({ type: "string" }, { description }));

/** The reply's ETag, for callers that keep a copy of the reply. */
const ETAG = {
  ETag: { description: "The tag of this content. Send it as If-None-Match.", schema: { type: "string" } },
};
const NOT_MODIFIED = {
  304: { description: "Nothing has changed since the reply with this ETag. This reply has no body.", headers: ETAG },
};
const ifNoneMatch: Schema = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an earlier reply to the same request target.",
  schema: { type: "string" },
};
const lang = query(
  "lang",
  LANGUAGE,
  "The language of `name`, if the catalog has a name in this language: `pt`, `es` or `en`, with or without a region.",
);

export const gameSchemas: Readonly<Record<string, Schema>> = {
  Game: object(
    {
      code: text("The game's code. A launch takes it as `game`."),
      provider: text("The provider's code."),
      name: text("The name that people see."),
      type: described("Product", "The product of the game. The whole sportsbook is one game."),
      demo_available: flag("Whether the game can be played for fun, with `demo` at the launch."),
      active: flag("Whether the game can be launched. It can if the game and its provider are active."),
      images: nullable({
        ...object({
          thumb: nullable(text("A small picture.")),
          square: nullable(text("A square picture.")),
          background: nullable(text("A wide picture.")),
        }),
        description:
          "The addresses of the game's pictures. In every field of a game, null means that the provider has not told us.",
      }),
      tags: texts("Tags as the provider writes them."),
      rtp: nullable({ type: "number", format: "double", description: "The game's return to player, in percent." }),
      volatility: nullable(text("The volatility as the provider writes it.")),
      free_rounds: nullable(flag("Whether the game has free rounds.")),
      jackpot: nullable(flag("Whether the game has a jackpot.")),
      platforms: texts("The platforms that the game runs on."),
      languages: texts("The game's languages."),
      blocked_countries: texts(
        "The countries in which the provider doesn't allow the game, as ISO 3166-1 alpha-2 codes.",
      ),
      released_at: nullable(time("When the game was released.")),
      updated_at: time("When this game last changed in the catalog."),
      names: {
        type: "object",
        additionalProperties: { type: "string" },
        description: "The game's name in each language. The field is absent if the catalog has no names by language.",
      },
    },
    ["names"],
  ),
  GamePage: object({
    items: array(named("Game")),
    next_cursor: nextCursor,
    total: count("The number of games in the whole selection, not only on this page."),
  }),
  ProviderPage: object({
    items: array(named("Provider")),
    next_cursor: nextCursor,
    total: count("The number of all providers, not only of those on this page."),
  }),
  Provider: object({
    code: text("The provider's code."),
    name: text("The name that people see."),
    active: flag("Whether the provider's games can be launched."),
    games: count("The number of the provider's active games that belong to your products."),
  }),
};

const listGames: Described = {
  method: "get",
  path: "/v1/games",
  id: "listGames",
  tag: "Games",
  summary: "The catalog",
  description:
    "Lists the games of your products, ordered by provider and code. Keep a copy of the catalog and ask only for changes. To do so, send `updated_since`, or send `If-None-Match` with the ETag of the last reply. If nothing has changed since then, the status is 304.",
  parameters: [
    query("type", named("Product"), "Only games of this product."),
    query("provider", PROVIDER, "Only games of the provider with this code."),
    query("q", SHORT_TEXT, "Only games whose name or code contains this text, in upper or lower case."),
    query(
      "demo_available",
      { type: "boolean" },
      "`true`: only games that can be played for fun; `false`: only games that can't.",
    ),
    query(
      "active",
      choice(["true", "false", "all"]),
      "`true`: games that can be launched; `false`: games that can't; `all`: both. The default on a first page is `true`.",
    ),
    query("updated_since", INSTANT, "Only games that changed at or after this time (RFC 3339 with an offset or Z)."),
    lang,
    cursor,
    limit(100, 500),
    ifNoneMatch,
  ],
  success: {
    message: SUCCESS_TEXTS.games,
    data: named("GamePage"),
    headers: ETAG,
    examples: { page: { summary: "The last page", data: { items: [example], next_cursor: null, total: 1 } } },
  },
  others: NOT_MODIFIED,
};

const showGame: Described = {
  method: "get",
  path: "/v1/games/{provider}/{code}",
  id: "showGame",
  tag: "Games",
  summary: "One game",
  description: "Shows one game, active or not. A game of a product that you don't have gets GAME_NOT_FOUND.",
  parameters: [
    inPath("provider", PROVIDER, "The provider's code.", "AURORA"),
    inPath("code", ID, "The game's code.", "solar-crown"),
    lang,
    ifNoneMatch,
  ],
  success: {
    message: SUCCESS_TEXTS.game,
    headers: ETAG,
    data: named("Game"),
    examples: { game: { summary: "A slot", data: example } },
  },
  others: NOT_MODIFIED,
  refusals: ["GAME_NOT_FOUND"],
};

const listProviders: Described = {
  method: "get",
  path: "/v1/providers",
  id: "listProviders",
  tag: "Games",
  summary: "The providers of the games",
  description: "Lists all providers in the order of their codes, active or not.",
  parameters: [cursor, limit(100, 500), ifNoneMatch],
  others: NOT_MODIFIED,
  success: {
    message: SUCCESS_TEXTS.providers,
    headers: ETAG,
    data: named("ProviderPage"),
    examples: {
      providers: {
        summary: "One provider",
        data: { items: [{ code: "AURORA", name: "Aurora", active: true, games: 42 }], next_cursor: null, total: 1 },
      },
    },
  },
};

export const gameOperations = [listGames, showGame, listProviders];
