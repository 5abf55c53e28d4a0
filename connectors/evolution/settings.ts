/** Evolution's settings. */
import { oneOf } from "../../src/domain/access/variable-forms.ts";
import { address, choice, milliseconds, secret, text, type Variable } from "../frame/settings.ts";

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
