import type { Catalog } from "../../../app/merchant/catalog.ts";
import { ok } from "../../../domain/errors.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { listing } from "../requests/listing.ts";

/** The route of GET /v1/providers. */
export const listProviders = (catalog: Catalog) =>
  listing({
    path: "/v1/providers",
    query: {},
    limit: { standard: 100, max: 500 },
    answer: ({ merchant, query: { limit, after, nextCursor } }) => {
      const all = catalog.providers(merchant);
      const left = after === null ? all : all.filter(({ code }) => code > (after.code ?? ""));
      const items = left.slice(0, limit);
      const last = left.length > limit ? items.at(-1) : undefined;
      return ok({
        message: SUCCESS_TEXTS.providers,
        data: { items, next_cursor: nextCursor(last === undefined ? null : { code: last.code }), total: all.length },
        tagged: true,
      });
    },
  });
