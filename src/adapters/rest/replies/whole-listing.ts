import { CSV_DIALECTS, type CsvCell, type CsvDialect, csvLine } from "../../../../web-files/csv.ts";
import type { Streamed } from "./reply.ts";

/** The forms of a listing: pages as JSON, or the whole selection as a stream. */
export const LISTING_FORMATS = ["json", "csv", "ndjson"] as const;
export type StreamFormat = Exclude<(typeof LISTING_FORMATS)[number], "json">;

/** How the items of a listing are written. */
interface Form<T> {
  /** The file's name without its ending. */
  readonly name: string;
  /** The columns of CSV. */
  readonly columns: readonly string[];
  readonly cells: (item: T) => readonly CsvCell[];
  readonly json: (item: T) => object;
}

const TYPES: Readonly<Record<StreamFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** A whole listing as a stream, with a file name for browsers. */
export const wholeListing = <T>(
  pages: AsyncIterable<readonly T[]>,
  form: Form<T>,
  format: StreamFormat,
  dialect: CsvDialect | undefined,
): Streamed => ({
  contentType: TYPES[format],
  chunks: () => (format === "csv" ? csv(pages, form, dialect) : ndjson(pages, form)),
  headers: { "Content-Disposition": `attachment; filename="${form.name}.${format}"` },
});

async function* csv<T>(
  pages: AsyncIterable<readonly T[]>,
  { columns, cells }: Form<T>,
  dialect: CsvDialect = "standard",
): AsyncGenerator<string> {
  yield CSV_DIALECTS[dialect].start + csvLine(columns, dialect);
  for await (const page of pages) yield page.map((item) => csvLine(cells(item), dialect)).join("");
}

/** The last line shows that the stream is complete. */
async function* ndjson<T>(pages: AsyncIterable<readonly T[]>, { json }: Form<T>): AsyncGenerator<string> {
  let items = 0;
  for await (const page of pages) {
    items += page.length;
    yield page.map((item) => `${JSON.stringify(json(item))}\n`).join("");
  }
  yield `${JSON.stringify({ complete: true, items })}\n`;
}
