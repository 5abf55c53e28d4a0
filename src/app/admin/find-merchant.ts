import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { notFound } from "./changes.ts";

/**
 * The merchant with this code, even if it is disabled or was created a moment ago. Refusals: RECORD_NOT_FOUND
 * (`merchant`), SERVICE_UNAVAILABLE.
 */
export async function findMerchant(settings: Settings, code: string): Promise<Result<Merchant>> {
  const known = settings.merchant(code);
  if (known === undefined && !(await settings.refresh())) return refuse("SERVICE_UNAVAILABLE");
  const merchant = known ?? settings.merchant(code);
  return merchant === undefined ? notFound("merchant") : ok(merchant);
}
