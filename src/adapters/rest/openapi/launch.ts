import { DEVICES } from "../../../domain/merchant/launch-policy.ts";
import { CURRENCIES } from "../../../domain/values/money.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { COUNTRY, CURRENCY, DISPLAY_NAME, ID, IP_ADDRESS, LANGUAGE, LOBBY_URL, SHORT_TEXT } from "./forms.ts";
import type { Described } from "./operation.ts";
import { flag, named, nullable, object, type Schema, text } from "./schema.ts";
import { walletCallbacks } from "./wallet.ts";

/** The schemas of a launch. An optional field of the request may be null, which means the same as absent. */
export const launchSchemas: Readonly<Record<string, Schema>> = {
  LaunchRequest: {
    ...object(
      {
        player_id: text(
          "Your own id of the player: 1 to 128 characters without control characters. It is compared byte by byte and never trimmed. The first launch creates the player.",
          SHORT_TEXT,
        ),
        game: text(
          "The game's code from GET /v1/games, or `sportsbook` for the sportsbook: 1 to 128 bytes of UTF-8 without control characters.",
          ID,
        ),
        provider: nullable(
          text("The provider's code. It is required if several providers have a game with this code.", ID),
        ),
        currency: nullable(
          text(
            `Your merchant's currency, in upper or lower case. It is also the default. One of ${CURRENCIES.join(", ")}.`,
            CURRENCY,
          ),
        ),
        lang: nullable(
          text(
            "`pt`, `es` or `en`, with or without a region, in upper or lower case. The default is the `default_language` of GET /v1/merchant.",
            LANGUAGE,
          ),
        ),
        country: nullable(
          text(
            "The player's country as an ISO 3166-1 alpha-2 code, in upper or lower case. The default is the country of the currency.",
            COUNTRY,
          ),
        ),
        demo: nullable(
          flag("Opens the game for fun, without your wallet. Only games with `demo_available` can be opened for fun."),
        ),
        lobby_url: nullable(
          text(
            "The page that the player returns to when leaving the game: an absolute http or https URL without a user name.",
            LOBBY_URL,
          ),
        ),
        player_ip: nullable(
          text(
            "The IPv4 or IPv6 address of the player's device. Some providers require it. We pass it on, and neither store nor log it.",
            IP_ADDRESS,
          ),
        ),
        device: nullable(text("The player's device.", { enum: DEVICES })),
        deposit_url: nullable(
          text("The page at which the player deposits money: an absolute http or https URL.", LOBBY_URL),
        ),
        history_url: nullable(text("The page with the player's history: an absolute http or https URL.", LOBBY_URL)),
        display_name: nullable(
          text(
            "A name to show in the game, also to others at a table: 1 to 64 characters without control characters, and not only spaces. We pass it on, and neither store nor log it.",
            DISPLAY_NAME,
          ),
        ),
      },
      [
        "provider",
        "currency",
        "lang",
        "country",
        "demo",
        "lobby_url",
        "player_ip",
        "device",
        "deposit_url",
        "history_url",
        "display_name",
      ],
    ),
    additionalProperties: false,
  },
  Launch: object({
    launch_url: text("The address of the opened game. Use it immediately.", { format: "uri" }),
    game: text("The game's code."),
    provider: text("The provider's code; `SPORTSBOOK` for the sportsbook."),
    demo: flag("Whether the game was opened for fun."),
  }),
};

const launch: Described = {
  method: "post",
  path: "/v1/game/launch",
  id: "launchGame",
  tag: "Games",
  summary: "Open a game",
  description:
    "Opens slots, live casino and the sportsbook. Show `launch_url` at once, in an iframe or, on a phone, in a new window. Don't store it: ask for a new one each time. " +
    "A launch does not call your wallet: the game asks for the balance when it opens. If a provider has several servers and the first one fails, we try the next one. " +
    "So a launch may take up to 9 s before it fails with LAUNCH_FAILED.",
  body: {
    required: true,
    schema: named("LaunchRequest"),
    examples: {
      real: { summary: "For real money", value: { player_id: "u-1", game: "solar-crown", lang: "pt" } },
      demo: {
        summary: "For fun",
        value: {
          player_id: "u-1",
          game: "solar-crown",
          provider: "AURORA",
          demo: true,
          lobby_url: "https://shop.example/lobby",
        },
      },
      sportsbook: { summary: "The sportsbook", value: { player_id: "u-1", game: "sportsbook" } },
    },
  },
  success: {
    message: SUCCESS_TEXTS.launch,
    data: named("Launch"),
    examples: {
      slot: {
        summary: "A slot",
        data: {
          launch_url: "https://games.aurora.example/solar-crown?s=8d1f",
          game: "solar-crown",
          provider: "AURORA",
          demo: false,
        },
      },
      sportsbook: {
        summary: "The sportsbook",
        data: {
          launch_url: "https://sports.example/pt/?jwt=eyJhbGciOiJIUzI1NiJ9.e30.x&brand=casa-luna",
          game: "sportsbook",
          provider: "SPORTSBOOK",
          demo: false,
        },
      },
    },
  },
  refusals: [
    "UNSUPPORTED_CURRENCY",
    "CURRENCY_NOT_ENABLED",
    "INVALID_COUNTRY",
    "GAME_NOT_FOUND",
    "AMBIGUOUS_GAME",
    "PRODUCT_NOT_ENABLED",
    "PROVIDER_NOT_SUPPORTED",
    "WALLET_NOT_CONFIGURED",
    "LAUNCH_FAILED",
    "LAUNCH_GAME_FAILED",
  ],
  callbacks: walletCallbacks,
};

export const launchOperations = [launch];
