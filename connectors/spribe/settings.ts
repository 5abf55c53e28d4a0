/** Spribe's settings. */
import { address, milliseconds, secret, text } from "../frame/settings.ts";

export const VARIABLES = {
  SPRIBE_URL: address("Spribe's host for launches", "https://launch.spribe.example"),
  SPRIBE_OPERATOR: text("Your operator key, which is also X-Spribe-Client-ID", "mycasino"),
  SPRIBE_SECRET: secret("The secret: Spribe signs its calls with it", "s3cr3t"),
  SPRIBE_PATH_PREFIX: text("What a proxy cuts off the path that Spribe has called and signed", "/spribe", ""),
  SPRIBE_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long Spribe waits for an answer; ask Spribe"),
  SPRIBE_REVERSE_AFTER_MS: milliseconds(
    300_000,
    0,
    86_400_000,
    "When the connector itself reverses a bet without a clear answer; 0: never",
  ),
  SPRIBE_LAUNCH_OPTIONS: text("Further parameters of launches, as a query", "irc_duration=3600&irc_elapsed=0", ""),
};
