import { ITEM_FIELDS } from "../../../../contract/transactions/fields.ts";
import { CSV_DIALECT_NAMES, CSV_DIALECTS, type CsvDialect, csvLine } from "../../../../web-files/csv.ts";
import type { Transactions } from "../../../app/merchant/transactions.ts";
import { type FieldFault, ok, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { CHOICE_NAMES, type ChoiceName } from "../../../domain/transaction/transaction-fields.ts";
import type { ListedTransaction } from "../../../ports/transactions/transaction-reader.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { itemCells, transactionItem } from "../replies/transaction-item.ts";
import { anyText, oneOf, type Parameter } from "../requests/query.ts";
import { faultsOf, route } from "../route.ts";

/** The parameters as texts. The use case checks them. */
const FIELDS = Object.fromEntries([...CHOICE_NAMES, "limit", "cursor"].map((name) => [name, anyText])) as Record<
  ChoiceName | "limit" | "cursor",
  Parameter<string>
>;

const STREAMS = {
  csv: { contentType: "text/csv; charset=utf-8", chunks: csv },
  ndjson: { contentType: "application/x-ndjson; charset=utf-8", chunks: ndjson },
} as const;

/** The route of GET /v1/transactions: a page as JSON, or all transactions of the selection as CSV or NDJSON. */
export const listTransactions = (transactions: Transactions) =>
  route({
    method: "GET",
    path: "/v1/transactions",
    query: {
      ...FIELDS,
      format: oneOf("format", ["json", "csv", "ndjson"]),
      csv_dialect: oneOf("csv_dialect", CSV_DIALECT_NAMES),
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
        if (!pages.ok) return pages;
        const { contentType, chunks } = STREAMS[format];
        const headers = { "Content-Disposition": `attachment; filename="transactions.${format}"` };
        return ok({ contentType, chunks: () => chunks(pages.value, dialect), headers });
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

/** The faults of `limit` and `cursor` in a request for a stream, which has no pages. */
const withoutPages = (sent: Readonly<Record<"limit" | "cursor", string | undefined>>, format: string): FieldFault[] =>
  Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({
      field,
      rule: `not with format=${format}`,
      message: FAULT_TEXTS.noPages(field, format),
    }));

type Pages = AsyncIterable<readonly ListedTransaction[]>;

async function* csv(pages: Pages, dialect: CsvDialect = "standard"): AsyncGenerator<string> {
  yield CSV_DIALECTS[dialect].start + csvLine(Object.keys(ITEM_FIELDS), dialect);
  for await (const page of pages) yield page.map((listed) => csvLine(itemCells(listed), dialect)).join("");
}

/** The last line shows that the stream is complete. */
async function* ndjson(pages: Pages): AsyncGenerator<string> {
  let items = 0;
  for await (const page of pages) {
    items += page.length;
    yield page.map((listed) => `${JSON.stringify(transactionItem(listed))}\n`).join("");
  }
  yield `${JSON.stringify({ complete: true, items })}\n`;
}
