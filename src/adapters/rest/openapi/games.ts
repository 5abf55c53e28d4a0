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
  304: { description: "Nothing changed since the reply with this ETag. No body.", headers: ETAG },
};
const ifNoneMatch: Schema = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an earlier reply to the same target.",
  schema: { type: "string" },
};
const lang = query(
  "lang",
  LANGUAGE,
  "The language of `name`, if the catalog has it: `pt`, `es` or `en`, alone or with a region.",
);

export const gameSchemas: Readonly<Record<string, Schema>> = {
  Game: object(
    {
      code: text("The code that a launch takes as `game`."),
      provider: text("The provider's code."),
      name: text("For people."),
      type: described("Product", "The product. The sportsbook is one row."),
      demo_available: flag("Whether a launch may set `demo`."),
      active: flag("Whether it can be launched: the game and its provider are active."),
      images: nullable({
        ...object({
          thumb: nullable(text("A small picture.")),
          square: nullable(text("A square picture.")),
          background: nullable(text("A wide picture.")),
        }),
        description: "URLs. null here and in the fields below: the provider has not told us.",
      }),
      tags: texts("Tags as the provider writes them."),
      rtp: nullable({ type: "number", format: "double", description: "Return to player, in percent." }),
      volatility: nullable(text("The volatility as the provider writes it.")),
      free_rounds: nullable(flag("Whether there are free rounds.")),
      jackpot: nullable(flag("Whether there is a jackpot.")),
      platforms: texts("The platforms that it runs on."),
      languages: texts("The game's languages."),
      blocked_countries: texts("The countries in which the provider doesn't allow it, ISO 3166-1 alpha-2."),
      released_at: nullable(time("When it was released.")),
      updated_at: time("When this row last changed."),
      names: {
        type: "object",
        additionalProperties: { type: "string" },
        description: "`name` by language, if the catalog has names by language.",
      },
    },
    ["names"],
  ),
  GamePage: object({
    items: array(named("Game")),
    next_cursor: nextCursor,
    total: count("The games of the whole selection, not only of this page."),
  }),
  ProviderPage: object({
    items: array(named("Provider")),
    next_cursor: nextCursor,
    total: count("All providers, not only those of this page."),
  }),
  Provider: object({
    code: text("The provider's code."),
    name: text("For people."),
    active: flag("Whether its games can be launched."),
    games: count("Active games of your products."),
  }),
};

const listGames: Described = {
  method: "get",
  path: "/v1/games",
  id: "listGames",
  tag: "Games",
  summary: "The catalog",
  description:
    "The games of your products, ordered by provider and code. Keep a copy and ask only for changes: with `updated_since`, or with `If-None-Match` and the ETag of the last reply (304 when nothing changed).",
  parameters: [
    query("type", named("Product"), "Only this product."),
    query("provider", PROVIDER, "Only this provider's, by its code."),
    query("q", SHORT_TEXT, "Only games whose name or code contains this, in any case."),
    query("demo_available", { type: "boolean" }, "Only games that can, or can't, be opened for fun."),
    query(
      "active",
      choice(["true", "false", "all"]),
      "`true`: games that can be launched; `false`: the others; `all`: both. On a first page `true` unless you say otherwise.",
    ),
    query("updated_since", INSTANT, "Only rows that changed at or after this time (RFC 3339 with an offset or Z)."),
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
  description: "Inactive ones too. A game of a product that you don't have is GAME_NOT_FOUND.",
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
  description: "All providers by code, inactive ones too.",
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
