import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MerchantRecord, Merchants } from "../../../app/admin/merchants.ts";
import type { MerchantAdminService } from "../../../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import type { MerchantSchema } from "../../../gen/aggregator/admin/v1/merchant_pb.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/**
 * aggregator.admin.v1.MerchantAdminService.
 *
 * @param apiUrl - the API address for merchants, without /v1.
 */
export const merchantHandlers = (
  merchants: Merchants,
  apiUrl: () => string,
): AdminHandlers<typeof MerchantAdminService> => ({
  async createMerchant({ code, name, reason, ...others }, caller) {
    const { merchant, secret } = unwrap(
      await merchants.create({ ...caller, reason }, code, { ...others, name: name || undefined }),
    );
    return { merchant: toMerchant(merchant), secret, apiUrl: apiUrl() };
  },
  async setMerchant({ code, reason, products, ipList, ...others }, caller) {
    const fields = { ...others, products: products?.values, ipList: ipList?.values };
    return { merchant: toMerchant(unwrap(await merchants.set({ ...caller, reason }, code, fields))) };
  },
  async getMerchant({ code }) {
    return { merchant: toMerchant(unwrap(await merchants.get(code))), apiUrl: apiUrl() };
  },
  async listMerchants({ brand, ...page }) {
    const { items, nextCursor } = unwrap(await merchants.list(brand, page));
    return { merchants: items.map(toMerchant), nextCursor };
  },
  async rotateSecret({ code, reason }, caller) {
    const { merchant, secret } = unwrap(await merchants.rotateSecret({ ...caller, reason }, code));
    return { merchant: toMerchant(merchant), secret };
  },
  async disableMerchant({ code, reason }, caller) {
    return { merchant: toMerchant(unwrap(await merchants.disable({ ...caller, reason }, code))) };
  },
  async enableMerchant({ code, reason }, caller) {
    return { merchant: toMerchant(unwrap(await merchants.enable({ ...caller, reason }, code))) };
  },
});

/** Copies the fields one by one, so that a secret can never be among them. */
const toMerchant = (merchant: MerchantRecord): MessageInitShape<typeof MerchantSchema> => ({
  code: merchant.code,
  name: merchant.name,
  currency: merchant.currency,
  brand: merchant.brand,
  walletUrl: merchant.walletUrl ?? "",
  defaultLanguage: merchant.defaultLanguage ?? "",
  products: [...merchant.products],
  ipList: [...merchant.ipList],
  limits: { ...merchant.limits },
  enabled: merchant.enabled,
  secretVersion: merchant.secretVersion,
});
