import { ok } from "../../../domain/errors.ts";
import { launchLanguage } from "../../../domain/merchant/launch-policy.ts";
import type { Clock } from "../../../ports/clock.ts";
import { route } from "../route.ts";

/** What a merchant is told of where it is. */
export interface Surroundings {
  readonly environment: string;
  /** Without a trailing slash; null: there is no sportsbook. */
  readonly sportsbookUrl: string | null;
}

/** GET /v1/merchant */
export const showMerchant = ({ environment, sportsbookUrl }: Surroundings, clock: Clock) =>
  route({
    method: "GET",
    path: "/v1/merchant",
    query: {},
    answer: ({ merchant }) =>
      ok({
        message: "Dados do operador.",
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
            script_url: sportsbookUrl && `${sportsbookUrl}/sb-renderer.min.js`,
            integrity_url: sportsbookUrl && `${sportsbookUrl}/sb-renderer.integrity.json`,
          },
          server_time: clock.now(),
        },
      }),
  });
