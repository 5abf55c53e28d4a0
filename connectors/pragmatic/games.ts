/** Pragmatic's list of games. */
import { gamesCommand, givenText, LIST_TIMEOUT_MS, tagsOf } from "../frame/catalogue/games-command.ts";
import type { ListedGame } from "../frame/catalogue/import-file.ts";
import { call } from "./call.ts";
import type { VARIABLES } from "./settings.ts";

type Given = Readonly<Record<string, unknown>>;

const PLATFORMS: Readonly<Record<string, string>> = { WEB: "desktop", MOBILE: "mobile" };

export const pragmaticGames = gamesCommand<typeof VARIABLES>({
  name: "pragmatic",
  needs: ["PRAGMATIC_URL", "PRAGMATIC_SECURE_LOGIN", "PRAGMATIC_SECRET"],
  async pull(settings, demo) {
    const fields = {
      secureLogin: settings.PRAGMATIC_SECURE_LOGIN,
      options: "GetFrbDetails,GetDataTypes",
    };
    const { gameList } = await call<{ gameList?: unknown }>(settings, "getCasinoGames/", fields, LIST_TIMEOUT_MS);
    if (!Array.isArray(gameList)) throw new Error("the provider's answer is no list of games");
    return (gameList as readonly Given[]).map((game) => listed(game, demo));
  },
});

/** One game of the list with the names of the import file. */
function listed(game: Given, demo: boolean): ListedGame {
  const kind = `${String(game.typeDescription ?? "")} ${String(game.dataType ?? "")}`;
  return {
    code: String(game.gameID ?? ""),
    name: String(game.gameName ?? ""),
    // LC is the data type of the live casino.
    type: /live|\bLC\b/i.test(kind) ? "live" : "slot",
    demo_available: demo || game.demoGameAvailable === true,
    tags: tagsOf(game.typeDescription),
    free_rounds: typeof game.frbAvailable === "boolean" ? game.frbAvailable : undefined,
    platforms: (givenText(game.platform) ?? "").split(",").flatMap((platform) => PLATFORMS[platform.trim()] ?? []),
  };
}
