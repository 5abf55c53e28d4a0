/** The settings of SOFTSWISS and BGaming. */
import { flag, integer, oneOf } from "../../src/domain/access/variable-forms.ts";
import { type Currency, scaleOf } from "../../src/domain/values/money.ts";
import { address, milliseconds, type Settings, secret, text, type Variable } from "../frame/settings.ts";

export const VARIABLES = {
  SOFTSWISS_URL: address("The address of the upstream's API, before /sessions", "https://gcp.softswiss.example"),
  SOFTSWISS_CASINO_ID: text("Your casino_id", "mycasino"),
  SOFTSWISS_AUTH_TOKEN: secret("The auth token: it signs all calls, in both directions", "testKey"),
  SOFTSWISS_CLIENT_TYPE: {
    parse: oneOf("desktop", "mobile"),
    form: "desktop or mobile",
    example: "mobile",
    meaning: "client_type of launches that do not name a device",
    standard: "desktop",
  } satisfies Variable<string>,
  SOFTSWISS_PLAYER_IP: text("ip of launches without the player's address", "203.0.113.7", "127.0.0.1"),
  SOFTSWISS_DEPOSIT_URL: text("urls.deposit_url of launches without one", "https://casino.example/cash", ""),
  SOFTSWISS_CLP_DECIMALS: {
    parse: integer(0, 4),
    form: "a number, 0 to 4",
    example: "2",
    meaning: "The decimals of amounts in CLP; ask the upstream",
    standard: 0,
  } satisfies Variable<number>,
  SOFTSWISS_ROUND_ENDS: {
    parse: flag,
    form: "true or false",
    example: "true",
    meaning: "Whether finished ends a round at the aggregator, for all its players; ask the upstream",
    standard: false,
  } satisfies Variable<boolean>,
  SOFTSWISS_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long the upstream waits for an answer; ask it"),
};

/** The decimals of the wire's integers. */
export const shiftOf = ({ SOFTSWISS_CLP_DECIMALS: clp }: Settings<typeof VARIABLES>, currency: Currency): number =>
  currency === "CLP" ? clp : scaleOf(currency);
