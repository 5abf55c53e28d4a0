import { PRODUCTS } from "../../../domain/merchant/merchant.ts";
import { CURRENCIES } from "../../../domain/values/money.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import type { Described } from "./operation.ts";
import { array, choice, described, flag, named, nullable, object, type Schema, text } from "./schema.ts";

const merchant: Described = {
  method: "get",
  path: "/v1/merchant",
  id: "showMerchant",
  tag: "Merchant",
  summary: "Your merchant as we see it",
  description: "Use it as your first signed call. The secret is never shown.",
  success: {
    message: SUCCESS_TEXTS.merchant,
    data: named("Merchant"),
    examples: {
      merchant: {
        summary: "A merchant in Brazil",
        data: {
          code: "casa-luna-brl",
          currency: "BRL",
          brand: "casa-luna",
          products: ["slot", "live", "sportsbook"],
          default_language: "pt",
          wallet_configured: true,
          environment: "staging",
          sportsbook: {
            url: "https://sports.example",
            script_url: "https://sports.example/sb-renderer.min.js",
            integrity_url: "https://sports.example/sb-renderer.integrity.json",
          },
          server_time: 1_767_225_600_000,
        },
      },
    },
  },
};

export const merchantSchemas: Readonly<Record<string, Schema>> = {
  Merchant: object({
    code: text("Your merchant code."),
    currency: described("Currency", "The one currency that you operate in."),
    brand: text("The group that your merchants belong to; the sportsbook's `brand_id`."),
    products: array(named("Product"), { description: "What you may launch.", uniqueItems: true }),
    default_language: text("The language of a launch that names none."),
    wallet_configured: flag("Whether you have a walletUrl. Without one, only demos open."),
    environment: text("The environment that you called.", { enum: ["development", "staging", "production"] }),
    sportsbook: named("Sportsbook"),
    server_time: {
      type: "integer",
      description: "Our clock, in milliseconds since 1970. Compare it with yours.",
      format: "int64",
    },
  }),
  Sportsbook: object({
    url: nullable(text("The sportsbook's address; null: there is none here.")),
    script_url: nullable(text("The browser library.")),
    integrity_url: nullable(text("Its integrity hash.")),
  }),
  Product: { ...choice(PRODUCTS), description: "`slot`, `live` (live casino) or `sportsbook`." },
  Currency: choice(CURRENCIES),
};

export const merchantOperations = [merchant];
