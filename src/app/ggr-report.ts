import { ok, type Result } from "../domain/errors.ts";
import { daysOf, type Ggr, GgrFold, type GgrRequest } from "../domain/report.ts";
import type { GgrStore } from "../ports/ggr-store.ts";
import type { Merchant } from "../ports/settings-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { answering } from "./answering.ts";

/** A merchant's GGR report, for the merchant itself and for the service's own people. */
export class GgrReport {
  readonly #store: GgrStore;
  readonly #telemetry: Telemetry;

  constructor(store: GgrStore, telemetry: Telemetry) {
    this.#store = store;
    this.#telemetry = telemetry;
  }

  /** @param request - out of readGgrRequest. Refusal: SERVICE_UNAVAILABLE. */
  make({ id, currency }: Pick<Merchant, "id" | "currency">, request: GgrRequest): Promise<Result<Ggr>> {
    const { groupBy, timeZone, provider, type } = request;
    const { names, bounds } = daysOf(request);
    const byDay = groupBy === "day";
    const whole = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
    return answering(this.#telemetry, "a GGR report", async () => {
      const { asOf, cells } = await this.#store.read({ merchantId: id, bounds: byDay ? bounds : whole, groupBy, provider, type });
      const fold = new GgrFold(byDay ? names : null);
      for await (const some of cells) for (const cell of some) fold.add(cell);
      return ok({ currency, timeZone, groupBy, ...fold.end(), asOf });
    });
  }
}
