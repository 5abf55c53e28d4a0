/** Hub88's and Caleta's list of games. */
import { gamesCommand, givenText, LIST_TIMEOUT_MS, rtpOf, tagsOf } from "../frame/catalogue/games-command.ts";
import type { ListedGame } from "../frame/catalogue/import-file.ts";
import { post } from "../frame/outgoing.ts";
import { rsaSign } from "../frame/verify.ts";
import { type Dialect, type FamilySettings, type FamilyVariables, familySettings } from "./dialects.ts";

const PLATFORMS: Readonly<Record<string, string>> = { GPL_DESKTOP: "desktop", GPL_MOBILE: "mobile" };
const VOLATILITIES = ["very low", "low", "medium", "high", "very high"];

type Given = Readonly<Record<string, unknown>>;

export const hubGames = (dialect: Dialect) =>
  gamesCommand<FamilyVariables>({
    name: dialect.name,
    needs: ["URL", "OPERATOR_ID", "PUBLIC_KEY", "PRIVATE_KEY"].map((name) => `${dialect.prefix}_${name}`),
    async pull(variables, demo) {
      const settings = familySettings(dialect, variables);
      const call = signed(settings, dialect, dialect.gamesPath, { operator_id: settings.operatorId });
      const answer = JSON.parse(await post({ ...call, timeoutMs: LIST_TIMEOUT_MS })) as unknown;
      if (!Array.isArray(answer)) throw new Error("the provider's answer is no list of games");
      return (answer as readonly Given[]).map((game) => listed(game, demo));
    },
  });

/** A call to the provider, signed with our key over the bytes that are sent. */
export function signed(
  { url, privateKey }: Pick<FamilySettings, "url" | "privateKey">,
  { header }: Dialect,
  path: string,
  content: object,
) {
  const body = Buffer.from(JSON.stringify(content));
  return {
    url: `${url}${path}`,
    headers: { "content-type": "application/json", [header]: rsaSign(body, privateKey) },
    body,
  };
}

/** One game of the upstream with the names of the import file. */
function listed(game: Given, demo: boolean): ListedGame {
  const list = (name: string): readonly string[] | undefined =>
    Array.isArray(game[name]) ? [...new Set((game[name] as unknown[]).map(String))] : undefined;
  return {
    code: String(game.game_code ?? ""),
    name: String(game.name ?? ""),
    type: /live/i.test(String(game.category ?? "")) ? "live" : "slot",
    demo_available: demo,
    active: game.enabled !== false,
    images: { thumb: givenText(game.url_thumb), background: givenText(game.url_background) },
    tags: tagsOf(game.product, game.category),
    rtp: rtpOf(game.rtp),
    volatility: typeof game.volatility === "number" ? VOLATILITIES[game.volatility - 1] : undefined,
    free_rounds: typeof game.freebet_support === "boolean" ? game.freebet_support : undefined,
    jackpot: typeof game.phoenix_jackpot_support === "boolean" ? game.phoenix_jackpot_support : undefined,
    platforms: [...new Set((list("platforms") ?? []).map((platform) => PLATFORMS[platform] ?? platform))],
    languages: list("languages"),
    blocked_countries: list("blocked_countries")?.map((country) => country.toUpperCase()),
    released_at: givenText(game.release_date),
  };
}
