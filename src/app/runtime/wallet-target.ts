import type { WalletTarget } from "../../ports/wallet.ts";
import type { Settings } from "./settings.ts";

/**
 * A merchant's wallet URL and secrets, as the settings are now.
 *
 * @throws Error for an unknown merchant.
 */
export function walletTarget(settings: Settings, merchantId: number): WalletTarget {
  const merchant = settings.merchantById(merchantId);
  if (merchant === undefined) throw new Error(`merchant ${merchantId} is not in the settings`);
  const { current, next } = settings.secretsOf(merchant);
  return {
    merchantId,
    merchantCode: merchant.code,
    walletUrl: merchant.walletUrl,
    secret: current,
    nextSecret: next,
    traceContext: merchant.traceContext,
  };
}
