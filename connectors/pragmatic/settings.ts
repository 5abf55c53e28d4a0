/** Pragmatic Play's settings. */
import { oneOf } from "../../src/domain/access/variable-forms.ts";
import { address, milliseconds, type Settings, secret, text, type Variable } from "../frame/settings.ts";

export const VARIABLES = {
  PRAGMATIC_URL: address("The address of Pragmatic's API, without a path", "https://api.pragmatic.example"),
  PRAGMATIC_SECURE_LOGIN: text("secureLogin: your name at Pragmatic", "mycasino_mycasino"),
  PRAGMATIC_SECRET: secret("The secret key: the hash of every call in both directions ends with it", "testKey"),
  PRAGMATIC_STYLENAME: text("stylename of launches; your secureLogin if empty", "mycasino_brand", ""),
  PRAGMATIC_PLATFORM: {
    parse: oneOf("WEB", "MOBILE"),
    form: "WEB or MOBILE",
    example: "MOBILE",
    meaning: "platform of launches",
    standard: "WEB",
  } satisfies Variable<string>,
  PRAGMATIC_CASHIER_URL: text("cashierUrl of launches; left out if empty", "https://casino.example/deposit", ""),
  PRAGMATIC_JURISDICTION: text("jurisdiction of authenticate's answer; empty: the merchant's", "MT", ""),
  PRAGMATIC_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long Pragmatic waits for an answer; ask Pragmatic"),
};

export type PragmaticSettings = Settings<typeof VARIABLES>;
