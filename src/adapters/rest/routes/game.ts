import type { Catalog } from "../../../app/merchant/catalog.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { route } from "../route.ts";
import { gameItem, lang } from "./games.ts";

/** The route of GET /v1/games/{provider}/{code}. */
export const showGame = (catalog: Catalog) =>
  route({
    method: "GET",
    path: "/v1/games/{provider}/{code}",
    query: { lang },
    answer: ({ merchant, path: { provider = "", code = "" }, query }) => {
      const game = catalog.game(merchant, provider, code);
      return game === undefined
        ? refuse("GAME_NOT_FOUND")
        : ok({ message: SUCCESS_TEXTS.game, data: gameItem(game, query.lang ?? null), tagged: true });
    },
  });
