import { CAPABILITIES } from "../../../../contract/merchants/capabilities.ts";
import { browserLibrary, type Surroundings } from "../../../app/merchant/surroundings.ts";
import { ok } from "../../../domain/errors.ts";
import { launchLanguage } from "../../../domain/merchant/launch-policy.ts";
import type { Clock } from "../../../ports/clock.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { route } from "../route.ts";

/** The route of GET /v1/merchant. */
export const showMerchant = ({ environment, sportsbookUrl }: Surroundings, clock: Clock) =>
  route({
    method: "GET",
    path: "/v1/merchant",
    query: {},
    answer: ({ merchant }) => {
      const library = sportsbookUrl === null ? null : browserLibrary(sportsbookUrl);
      return ok({
        message: SUCCESS_TEXTS.merchant,
        data: {
          code: merchant.code,
          currency: merchant.currency,
          brand: merchant.brand,
          products: merchant.products,
          default_language: launchLanguage(merchant),
          wallet_configured: merchant.walletUrl !== null,
          environment,
          sportsbook: {
            url: sportsbookUrl,
            script_url: library?.scriptUrl ?? null,
            integrity_url: library?.integrityUrl ?? null,
          },
          server_time: clock.now(),
          capabilities: Object.keys(CAPABILITIES),
        },
      });
    },
  });
