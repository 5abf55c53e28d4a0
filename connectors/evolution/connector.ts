/** Evolution as a connector, with the launch. */
import { randomUUID } from "node:crypto";
import { Device } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import type { Opening } from "../frame/launch.ts";
import { post } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import type { Settings } from "../frame/settings.ts";
import { EvolutionApi } from "./evolution.ts";
import { VARIABLES } from "./settings.ts";

export const evolution: Connector<typeof VARIABLES> = {
  name: "evolution",
  title: "Evolution One Wallet: live casino",
  variables: VARIABLES,
  unclearBets: (settings) => settings.EVOLUTION_REVERSE_AFTER_MS,
  walletApi: (parts) => new EvolutionApi(parts),
  launch:
    ({ settings }) =>
    async (opening) => {
      const { EVOLUTION_URL: host, EVOLUTION_CASINO_KEY: casino, EVOLUTION_API_TOKEN: token } = settings;
      const answer = JSON.parse(
        await post({
          url: `${host}/ua/v1/${encodeURIComponent(casino)}/${encodeURIComponent(token)}`,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(launchBody(settings, opening)),
          timeoutMs: settings.LAUNCH_TIMEOUT_MS,
        }),
      ) as { entry?: unknown; entryEmbedded?: unknown; errors?: readonly { code?: unknown }[] } | null;
      const entry = answer?.[settings.EVOLUTION_ENTRY] ?? answer?.entry;
      if (typeof entry !== "string")
        throw new Error(`Evolution opens no game: ${(answer?.errors ?? []).map(({ code }) => code).join(", ")}`);
      return /^https?:\/\//.test(entry) ? entry : `${host}${entry}`;
    },
};

/** The body of the launch call. Members without a value are left out. */
function launchBody(settings: Settings<typeof VARIABLES>, { request, session }: Opening): object {
  if (session === null) throw new Error("Evolution has no demo games");
  const given = (name: string, value: string) => (value === "" ? {} : { [name]: value });
  const brand = { ...given("id", settings.EVOLUTION_BRAND), ...given("skin", settings.EVOLUTION_SKIN) };
  const isMobile = request.device === Device.UNSPECIFIED ? settings.EVOLUTION_MOBILE : request.device === Device.MOBILE;
  return {
    uuid: randomUUID(),
    player: {
      id: session.alias,
      update: true,
      // The aggregator knows no names of players but the one to show.
      firstName: session.alias,
      lastName: session.alias,
      ...given("nickname", request.displayName),
      country: request.country,
      language: request.language.split("-")[0],
      currency: session.currency,
      session: { id: session.token, ip: request.playerIp || settings.EVOLUTION_PLAYER_IP },
    },
    config: {
      ...(Object.keys(brand).length > 0 && { brand }),
      game: { table: { id: request.gameCode } },
      channel: { wrapped: false, mobile: isMobile },
      urls: {
        ...given("lobby", request.lobbyUrl),
        ...given("cashier", request.depositUrl || settings.EVOLUTION_CASHIER_URL),
      },
    },
  };
}
