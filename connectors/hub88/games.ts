/** `npm run connector -- hub88 games`: the upstream's list of games as the file of an import. */
import { parseArgs } from "node:util";
import { type ListedGame, type Say, writeCatalogue } from "../frame/catalogue/import-file.ts";
import { post } from "../frame/outgoing.ts";
import type { ConnectorCommand } from "../frame/process.ts";
import { rsaSign } from "../frame/verify.ts";
import { type Dialect, type FamilySettings, type FamilyVariables, familySettings } from "./dialects.ts";

const TIMEOUT_MS = 60_000;
const PLATFORMS: Readonly<Record<string, string>> = { GPL_DESKTOP: "desktop", GPL_MOBILE: "mobile" };
const VOLATILITIES = ["very low", "low", "medium", "high", "very high"];

type Given = Readonly<Record<string, unknown>>;

export const gamesCommand = (dialect: Dialect, say: Say = console.log): ConnectorCommand<FamilyVariables> => ({
  usage: "[--file games.json] [--provider CODE] [--demo]   writes the import file of games, and tells what has changed",
  needs: ["URL", "OPERATOR_ID", "PUBLIC_KEY", "PRIVATE_KEY"].map((name) => `${dialect.prefix}_${name}`),
  async run(settings, args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        file: { type: "string", default: `games-${dialect.name}.json` },
        provider: { type: "string", default: dialect.prefix },
        demo: { type: "boolean", default: false },
      },
    });
    const list = await pull(dialect, familySettings(dialect, settings));
    const games = list.map((game) => listed(game, values.provider, values.demo));
    return writeCatalogue(values.file, games, say);
  },
});

async function pull(dialect: Dialect, settings: FamilySettings): Promise<readonly Given[]> {
  const call = signed(settings, dialect, dialect.gamesPath, { operator_id: settings.operatorId });
  const answer = JSON.parse(await post({ ...call, timeoutMs: TIMEOUT_MS })) as unknown;
  if (!Array.isArray(answer)) throw new Error("the provider's answer is no list of games");
  return answer as readonly Given[];
}

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
function listed(game: Given, provider: string, demo: boolean): ListedGame {
  const list = (name: string): readonly string[] | undefined =>
    Array.isArray(game[name]) ? [...new Set((game[name] as unknown[]).map(String))] : undefined;
  const given = (name: string, value: unknown) => (typeof value === "string" && value !== "" ? { [name]: value } : {});
  const rtp = Number(game.rtp);
  return {
    provider,
    code: String(game.game_code ?? ""),
    name: String(game.name ?? ""),
    type: /live/i.test(String(game.category ?? "")) ? "live" : "slot",
    demo_available: demo,
    active: game.enabled !== false,
    images: { ...given("thumb", game.url_thumb), ...given("background", game.url_background) },
    tags: [...new Set([game.product, game.category].filter((tag) => typeof tag === "string" && tag !== ""))],
    rtp: game.rtp !== null && rtp > 0 ? rtp : undefined,
    volatility: typeof game.volatility === "number" ? VOLATILITIES[game.volatility - 1] : undefined,
    free_rounds: typeof game.freebet_support === "boolean" ? game.freebet_support : undefined,
    jackpot: typeof game.phoenix_jackpot_support === "boolean" ? game.phoenix_jackpot_support : undefined,
    platforms: [...new Set((list("platforms") ?? []).map((platform) => PLATFORMS[platform] ?? platform))],
    languages: list("languages"),
    blocked_countries: list("blocked_countries")?.map((country) => country.toUpperCase()),
    released_at: typeof game.release_date === "string" ? game.release_date : undefined,
  };
}
