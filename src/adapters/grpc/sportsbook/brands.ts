import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Settings } from "../../../app/runtime/settings.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import type { BrandService, GetBrandRequest } from "../../../gen/aggregator/sportsbook/v1/brand_service_pb.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { ProviderKeys } from "../provider/keys.ts";
import { guard, unwrap } from "../server/refusal-error.ts";
import { toBrand } from "./sessions.ts";

/** Serves aggregator.sportsbook.v1.BrandService. */
export class SportsbookBrandHandlers implements ServiceImpl<typeof BrandService> {
  readonly #keys: ProviderKeys;
  readonly #settings: Pick<Settings, "brand">;
  readonly #telemetry: Telemetry;

  constructor(keys: ProviderKeys, settings: Pick<Settings, "brand">, telemetry: Telemetry) {
    this.#keys = keys;
    this.#settings = settings;
    this.#telemetry = telemetry;
  }

  getBrand({ brandId }: GetBrandRequest, context: HandlerContext) {
    return guard(this.#telemetry, "GetBrand", async () => {
      unwrap(await this.#keys.sportsbook(context));
      const brand = this.#settings.brand(brandId);
      return toBrand(unwrap(brand === undefined ? refuse("RECORD_NOT_FOUND", { field: "brand_id" }) : ok(brand)));
    });
  }
}
