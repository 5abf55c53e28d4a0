/** Evolution as a connector: its settings, and the launch. */
import { randomUUID } from "node:crypto";
import { flag, oneOf } from "../../src/domain/access/variable-forms.ts";
import type { Opening } from "../frame/launch.ts";
import { post } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import { address, milliseconds, type Settings, secret, text, type Variable } from "../frame/settings.ts";
import { EvolutionApi } from "./evolution.ts";

const choice = (meaning: string, standard: boolean): Variable<boolean> => ({
  parse: flag,
  form: "true or false",
  example: String(!standard),
  meaning,
  standard,
});

export const VARIABLES = {
  EVOLUTION_URL: address("Evolution's host for launches", "https://casino.evolution.example"),
  EVOLUTION_CASINO_KEY: text("Your casino key", "casino000001"),
  EVOLUTION_API_TOKEN: secret("The token of your launches", "a1b2..."),
  EVOLUTION_AUTH_TOKEN: secret("authToken: Evolution sends it with each call of the wallet API", "s3cr3t"),
  EVOLUTION_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long Evolution waits for an answer; ask Evolution"),
  EVOLUTION_REVERSE_AFTER_MS: milliseconds(
    300_000,
    1_000,
    86_400_000,
    "When the connector itself reverses a bet without a clear answer",
  ),
  EVOLUTION_WRONG_TOKEN_HTTP: {
    parse: (given: string) => Number(oneOf("200", "401")(given)) || undefined,
    form: "200 or 401",
    example: "401",
    meaning: "The HTTP status of the answer to a wrong authToken",
    standard: 200,
  } satisfies Variable<number>,
  EVOLUTION_SID_CALL: choice("Whether the call sid of Evolution's own tests is answered", true),
  EVOLUTION_BRAND: text("config.brand.id of launches; left out if empty", "1", ""),
  EVOLUTION_SKIN: text("config.brand.skin of launches; left out if empty", "1", ""),
  EVOLUTION_MOBILE: choice("config.channel.mobile of launches", false),
  EVOLUTION_PLAYER_IP: text("player.session.ip of launches, which Evolution requires", "203.0.113.7", "127.0.0.1"),
  EVOLUTION_CASHIER_URL: text("config.urls.cashier of launches; left out if empty", "https://casino.example/cash", ""),
  EVOLUTION_ENTRY: {
    parse: oneOf("entryEmbedded", "entry"),
    form: "entryEmbedded or entry",
    example: "entry",
    meaning: "Which address of the launch's answer is shown",
    standard: "entryEmbedded",
  } satisfies Variable<"entryEmbedded" | "entry">,
};

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
  return {
    uuid: randomUUID(),
    player: {
      id: session.alias,
      update: true,
      // The aggregator knows no names of players.
      firstName: session.alias,
      lastName: session.alias,
      country: request.country,
      language: request.language.split("-")[0],
      currency: session.currency,
      session: { id: session.token, ip: settings.EVOLUTION_PLAYER_IP },
    },
    config: {
      ...(Object.keys(brand).length > 0 && { brand }),
      game: { table: { id: request.gameCode } },
      channel: { wrapped: false, mobile: settings.EVOLUTION_MOBILE },
      urls: { ...given("lobby", request.lobbyUrl), ...given("cashier", settings.EVOLUTION_CASHIER_URL) },
    },
  };
}
