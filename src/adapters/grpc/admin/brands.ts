import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { Brands } from "../../../app/admin/brands.ts";
import type { Surroundings } from "../../../app/merchant/surroundings.ts";
import type { BrandAdminService } from "../../../gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import type { BrandSchema } from "../../../gen/aggregator/admin/v1/brand_pb.ts";
import type { Brand } from "../../../ports/settings-store.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/**
 * Serves aggregator.admin.v1.BrandAdminService.
 *
 * @param surroundings - has the sportsbook's address.
 */
export const brandHandlers = (
  brands: Brands,
  { sportsbookUrl }: Pick<Surroundings, "sportsbookUrl">,
): AdminHandlers<typeof BrandAdminService> => ({
  async createBrand({ code, name, theme, layout, reason, ...others }, caller) {
    const fields = { ...others, name: name || undefined, theme: theme || undefined, layout: layout || undefined };
    return { brand: toBrand(unwrap(await brands.create({ ...caller, reason }, code, fields))) };
  },
  async setBrand({ code, reason, allowedOrigins, ...others }, caller) {
    const fields = { ...others, allowedOrigins: allowedOrigins?.values };
    return { brand: toBrand(unwrap(await brands.set({ ...caller, reason }, code, fields))) };
  },
  async getBrand({ code }) {
    return { brand: toBrand(unwrap(await brands.get(code))), sportsbookUrl: sportsbookUrl ?? "" };
  },
  async listBrands(page) {
    const { items, nextCursor } = unwrap(await brands.list(page));
    return { brands: items.map(toBrand), nextCursor, sportsbookUrl: sportsbookUrl ?? "" };
  },
});

function toBrand({ settings, allowedOrigins, ...brand }: Brand): MessageInitShape<typeof BrandSchema> {
  const { default_language: language = "", ...others } = settings;
  return {
    ...brand,
    allowedOrigins: [...allowedOrigins],
    defaultLanguage: String(language),
    settings: others as JsonObject,
  };
}
