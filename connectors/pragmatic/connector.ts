/** Pragmatic Play as a connector: the parts of the frame, and the launch. */
import type { Launch, Opening } from "../frame/launch.ts";
import type { Connector } from "../frame/process.ts";
import { call } from "./call.ts";
import { pragmaticGames } from "./games.ts";
import { PragmaticApi } from "./pragmatic.ts";
import { type PragmaticSettings, VARIABLES } from "./settings.ts";

export const pragmatic: Connector<typeof VARIABLES> = {
  name: "pragmatic",
  title: "Pragmatic Play, by its seamless wallet",
  variables: VARIABLES,
  unclearBets: () => "provider",
  commands: { games: pragmaticGames },
  walletApi: (parts) => new PragmaticApi(parts),
  launch: ({ settings }): Launch => {
    return async (opening) => {
      const form = launchForm(settings, opening);
      const { gameURL } = await call<{ gameURL?: unknown }>(settings, "game/url/", form, settings.LAUNCH_TIMEOUT_MS);
      if (typeof gameURL === "string") return gameURL;
      throw new Error("the provider's answer has no gameURL");
    };
  },
};

/** The parameters of the launch call. Those without a value are left out. */
function launchForm(settings: PragmaticSettings, { request, session }: Opening): Record<string, string> {
  const login = settings.PRAGMATIC_SECURE_LOGIN;
  const given = (name: string, value: string) => (value === "" ? {} : { [name]: value });
  return {
    secureLogin: login,
    symbol: request.gameCode,
    language: request.language.slice(0, 2),
    ...(session !== null && { token: session.token, externalPlayerId: session.alias }),
    currency: request.currency,
    country: request.country,
    platform: settings.PRAGMATIC_PLATFORM,
    technology: "H5",
    stylename: settings.PRAGMATIC_STYLENAME || login,
    ...given("cashierUrl", settings.PRAGMATIC_CASHIER_URL),
    ...given("lobbyUrl", request.lobbyUrl),
    playMode: session === null ? "DEMO" : "REAL",
  };
}
