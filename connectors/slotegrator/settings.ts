/** The settings of Slotegrator. */
import { integer } from "../../src/domain/access/variable-forms.ts";
import { address, milliseconds, roundEnds, secret, text, type Variable } from "../frame/settings.ts";

export const SLOTEGRATOR_VARIABLES = {
  SLOTEGRATOR_URL: address("The base address of Slotegrator's API", "https://gis.slotegrator.example/api/v1"),
  SLOTEGRATOR_MERCHANT_ID: text("Your merchant id: X-Merchant-Id of all calls", "ff955b8ca78a97d6"),
  SLOTEGRATOR_MERCHANT_KEY: secret("Your merchant key: it signs and verifies all calls", "1fd0..."),
  SLOTEGRATOR_TIMEOUT_MS: milliseconds(3_000, 500, 60_000, "How long Slotegrator waits for an answer"),
  SLOTEGRATOR_REVERSE_AFTER_MS: {
    parse: integer(0, 86_400_000),
    form: "milliseconds, 0 to 86400000",
    example: "300000",
    meaning: "When the connector itself reverses a bet without a clear answer; 0: never, Slotegrator does",
    standard: 300_000,
  } satisfies Variable<number>,
  SLOTEGRATOR_ROUND_ENDS: roundEnds("finished"),
  SLOTEGRATOR_DEVICE: text(
    "device of launches if the merchant names none: desktop or mobile; left out if empty",
    "mobile",
    "",
  ),
};

export type SlotegratorVariables = typeof SLOTEGRATOR_VARIABLES;
