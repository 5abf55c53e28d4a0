import type { Catalog } from "../../../app/catalog.ts";
import { ok } from "../../../domain/errors.ts";
import type { Game } from "../../../ports/settings-store.ts";
import { cursor, writeCursor } from "../cursor.ts";
import { wholeNumber } from "../query.ts";
import { route } from "../route.ts";

const LIMIT_STANDARD = 100;
const LIMIT_MAX = 500;

/** Fields that are kept as they were imported; null where nothing was said. */
const DETAILS = ["images", "tags", "rtp", "volatility", "free_rounds", "jackpot", "platforms", "languages", "blocked_countries", "released_at"] as const;

/** GET /v1/games */
export const listGames = (catalog: Catalog) =>
  route({
    method: "GET",
    path: "/v1/games",
    query: { limit: wholeNumber("limit", 1, LIMIT_MAX), cursor: cursor("games", 2) },
    answer: ({ merchant, query }) => {
      const [provider = "", code = ""] = query.cursor ?? [];
      const page = catalog.page(merchant, query.limit ?? LIMIT_STANDARD, query.cursor === undefined ? null : { provider, code });
      const next_cursor = page.next === null ? null : writeCursor("games", [page.next.provider, page.next.code]);
      return ok({ message: "Catálogo de jogos.", data: { items: page.games.map(gameItem), next_cursor, total: page.total } });
    },
  });

/** Inactive providers' games are not listed, so here `active` is the game's own. */
const gameItem = (game: Game) => ({
  code: game.code,
  provider: game.provider,
  name: game.name,
  type: game.type,
  demo_available: game.demoAvailable,
  active: game.active,
  ...Object.fromEntries(DETAILS.map((field) => [field, game.details[field] ?? null])),
  updated_at: new Date(game.updatedAt).toISOString(),
});
