/** Pragmatic Play as a connector: the parts of the frame, and the launch. */
import { writeForm } from "../frame/form.ts";
import type { Launch, Opening } from "../frame/launch.ts";
import { post } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import { hashOf } from "./hash.ts";
import { PragmaticApi } from "./pragmatic.ts";
import { type PragmaticSettings, VARIABLES } from "./settings.ts";

const LAUNCH_PATH = "/IntegrationService/v3/http/CasinoGameAPI/game/url/";

export const pragmatic: Connector<typeof VARIABLES> = {
  name: "pragmatic",
  title: "Pragmatic Play, by its seamless wallet",
  variables: VARIABLES,
  unclearBets: () => "provider",
  walletApi: (parts) => new PragmaticApi(parts),
  launch: ({ settings }): Launch => {
    return async (opening) => {
      const form = launchForm(settings, opening);
      const answer = JSON.parse(
        await post({
          url: `${settings.PRAGMATIC_URL}${LAUNCH_PATH}`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: writeForm({ ...form, hash: hashOf(form, settings.PRAGMATIC_SECRET) }),
          timeoutMs: settings.LAUNCH_TIMEOUT_MS,
        }),
      ) as { error?: unknown; gameURL?: unknown } | null;
      if (typeof answer?.gameURL === "string" && String(answer.error ?? "0") === "0") return answer.gameURL;
      throw new Error(`the provider's answer has no gameURL; its error is ${String(answer?.error ?? "not named")}`);
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
