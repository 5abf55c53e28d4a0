/** Red Tiger's settings. */
import { address, milliseconds, secret, text } from "../frame/settings.ts";

export const VARIABLES = {
  REDTIGER_URL: address("Red Tiger's host for launches", "https://games.redtiger.example"),
  REDTIGER_API_KEY: secret("The API key that Red Tiger sends with each call", "a1b2..."),
  REDTIGER_RECON_TOKEN: secret("The token of Red Tiger's payouts and refunds without a session", "c3d4..."),
  REDTIGER_CASINO: text("casino of launches", "mycasino"),
  REDTIGER_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long Red Tiger waits for an answer; ask Red Tiger"),
  REDTIGER_REVERSE_AFTER_MS: milliseconds(
    300_000,
    0,
    86_400_000,
    "When the connector itself reverses a stake without a clear answer; 0: never",
  ),
  REDTIGER_CHANNEL: text("channel of launches; left out if empty", "WEB", ""),
  REDTIGER_DEPOSIT_URL: text(
    "depositUrl of launches without one; left out if empty",
    "https://casino.example/cash",
    "",
  ),
  REDTIGER_LAUNCH_OPTIONS: text("Further parameters of launches, as a query", "hasHistory=true&fullScreen=true", ""),
};
