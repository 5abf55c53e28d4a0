import { ITEM_FIELDS } from "../../../../contract/transactions/fields.ts";
import type { Transactions } from "../../../app/merchant/transactions.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import { CHOICE_NAMES, type ChoiceName } from "../../../domain/transaction/transaction-fields.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { itemCells, transactionItem } from "../replies/transaction-item.ts";
import { wholeListing } from "../replies/whole-listing.ts";
import { FORMAT_PARAMETERS, withoutPages } from "../requests/listing.ts";
import { anyText, type Parameter } from "../requests/query.ts";
import { faultsOf, route } from "../route.ts";

/** The parameters as texts. The use case checks them. */
const FIELDS = Object.fromEntries([...CHOICE_NAMES, "limit", "cursor"].map((name) => [name, anyText])) as Record<
  ChoiceName | "limit" | "cursor",
  Parameter<string>
>;

const FORM = {
  name: "transactions",
  columns: Object.keys(ITEM_FIELDS),
  cells: itemCells,
  json: transactionItem,
};

/** The route of GET /v1/transactions: a page as JSON, or all transactions of the selection as CSV or NDJSON. */
export const listTransactions = (transactions: Transactions) =>
  route({
    method: "GET",
    path: "/v1/transactions",
    query: {
      ...FIELDS,
      ...FORMAT_PARAMETERS,
    },
    read: ({ merchant, query: { format = "json", csv_dialect: dialect, limit, cursor, ...choice } }) => {
      const paged = format === "json";
      const listing = transactions.read(merchant, paged ? { ...choice, limit, cursor } : choice);
      const faults = [...faultsOf(listing), ...(paged ? [] : withoutPages({ limit, cursor }, format))];
      if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
      return listing.ok ? ok({ format, dialect, listing: listing.value }) : listing;
    },
    answer: async ({ merchant, query: { format, dialect, listing } }) => {
      if (format !== "json") {
        const pages = await transactions.stream(merchant, listing.choice);
        return pages.ok ? ok(wholeListing(pages.value, FORM, format, dialect)) : pages;
      }
      const page = await transactions.list(merchant, listing);
      if (!page.ok) return page;
      const { items, nextCursor, behindMs } = page.value;
      const data = {
        items: items.map(transactionItem),
        next_cursor: nextCursor,
        ...(behindMs !== null && { behind_ms: behindMs }),
      };
      return ok({ message: SUCCESS_TEXTS.transactions, data });
    },
  });
