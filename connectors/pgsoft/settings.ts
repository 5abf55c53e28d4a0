/** PG Soft's settings. */
import { flag } from "../../src/domain/access/variable-forms.ts";
import { address, milliseconds, secret, text, type Variable } from "../frame/settings.ts";

export const VARIABLES = {
  PGSOFT_URL: address("PG Soft's host for launches", "https://m.pgsoft.example"),
  PGSOFT_OPERATOR_TOKEN: secret("operator_token: PG Soft sends it with each call, and launches have it", "a1b2..."),
  PGSOFT_SECRET_KEY: secret("secret_key: PG Soft sends it with each call", "c3d4..."),
  PGSOFT_WHOLE_ID: {
    parse: flag,
    form: "true or false",
    example: "true",
    meaning: "Whether the last part of transaction_id, the balance id, belongs to the id of a spin; ask PG Soft",
    standard: false,
  } satisfies Variable<boolean>,
  PGSOFT_TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long PG Soft waits for an answer; ask PG Soft"),
  PGSOFT_REVERSE_AFTER_MS: milliseconds(
    3_600_000,
    0,
    86_400_000,
    "When the connector itself reverses a spin that PG Soft has not sent again; 0: never",
  ),
  PGSOFT_LAUNCH_OPTIONS: text("Further parameters of launches, as a query", "oc=0", ""),
};
