import { CAPABILITIES } from "../../../../contract/merchants/capabilities.ts";
import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import { browserLibrary, type Surroundings } from "../../../app/merchant/surroundings.ts";
import { launchLanguage } from "../../../domain/merchant/launch-policy.ts";
import type { MerchantService } from "../../../gen/aggregator/operator/v1/merchant_service_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.operator.v1.MerchantService. */
export const operatorMerchant = (
  onBehalf: OnBehalf,
  { environment, sportsbookUrl: url }: Surroundings,
  clock: Clock,
): AdminHandlers<typeof MerchantService> => ({
  async getMerchant({ merchant: code }) {
    const merchant = unwrap(await onBehalf.merchant(code));
    return {
      code: merchant.code,
      currency: merchant.currency,
      brand: merchant.brand,
      products: [...merchant.products],
      defaultLanguage: launchLanguage(merchant),
      walletConfigured: merchant.walletUrl !== null,
      environment,
      ...(url !== null && { sportsbook: { url, ...browserLibrary(url) } }),
      serverTime: toTimestamp(clock.now()),
      capabilities: Object.keys(CAPABILITIES),
    };
  },
});
