import { CAPABILITIES } from "../../../../contract/merchants/capabilities.ts";
import { PRODUCTS } from "../../../../contract/values/products.ts";
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
  description: "Make this your first signed call. The secret is never shown.",
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
          capabilities: Object.keys(CAPABILITIES),
        },
      },
    },
  },
};

export const merchantSchemas: Readonly<Record<string, Schema>> = {
  Merchant: object({
    code: text("Your merchant code."),
    currency: described("Currency", "The only currency of your merchant."),
    brand: text("The code of the brand that your merchant belongs to. It is the `brand_id` of the sportsbook."),
    products: array(named("Product"), { description: "The products that you may launch.", uniqueItems: true }),
    default_language: text("The language of a launch without `lang`."),
    wallet_configured: flag("Whether your merchant has a walletUrl. Without one, only demos can be opened."),
    environment: text("The environment that you called.", { enum: ["development", "staging", "production"] }),
    sportsbook: named("Sportsbook"),
    server_time: {
      type: "integer",
      description: "The time of our clock in milliseconds since 1970. Compare it with yours.",
      format: "int64",
    },
    // A list of values would make generated clients refuse a capability of a later release.
    capabilities: array(text("A capability."), {
      description: [
        "What this service can send to you and show you beyond its first release. Later releases add values, so accept every text.",
        ...Object.entries(CAPABILITIES).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
      ].join("\n"),
      uniqueItems: true,
    }),
  }),
  Sportsbook: object({
    url: nullable(text("The sportsbook's address. null: this service has no sportsbook.")),
    script_url: nullable(text("The address of the browser library.")),
    integrity_url: nullable(text("The address of the browser library's integrity hash.")),
  }),
  Product: { ...choice(PRODUCTS), description: "`slot`, `live` (live casino) or `sportsbook`." },
  Currency: choice(CURRENCIES),
};

export const merchantOperations = [merchant];
