import { CSV_DIALECT_NAMES, type CsvDialect } from "../../../../web-files/csv.ts";
import { readCursor, writeCursor } from "../../../app/merchant/cursor.ts";
import { type FieldFault, ok, type Result, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import type { Streamed, Success } from "../replies/reply.ts";
import { LISTING_FORMATS, type StreamFormat } from "../replies/whole-listing.ts";
import { type ReadCall, type Route, route } from "../route.ts";
import { anyText, oneOf, type Parameters, type Query, wholeNumber } from "./query.ts";

interface Listing<P extends Parameters> {
  /** The path from `/v1` on. `{name}` matches one segment. */
  readonly path: string;
  /** The parameters other than `limit` and `cursor`. Their values are compared with `===`. */
  readonly query: P;
  /** The default texts of parameters that the request did not send. */
  readonly defaults?: { readonly [Name in keyof P]?: string };
  readonly limit: { readonly standard: number; readonly max: number };
  readonly answer: (call: ReadCall<Page<P>>) => Result<Success> | Promise<Result<Success>>;
  /** The whole selection as a stream. Absent: the listing has no parameter `format`. */
  readonly stream?: (call: ReadCall<Whole<P>>) => Promise<Result<Streamed>>;
}

/** The parameters of a listing that may also be read as a whole. */
export const FORMAT_PARAMETERS = {
  format: oneOf("format", LISTING_FORMATS),
  csv_dialect: oneOf("csv_dialect", CSV_DIALECT_NAMES),
};

/** The faults of `limit` and `cursor` in a request for a stream, which has no pages. */
export const withoutPages = (
  { limit, cursor }: { readonly limit?: unknown; readonly cursor?: unknown },
  format: StreamFormat,
): FieldFault[] =>
  Object.entries({ limit, cursor })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({
      field,
      rule: `not with format=${format}`,
      message: FAULT_TEXTS.noPages(field, format),
    }));

/** A listing that is read as a whole. */
interface Whole<P extends Parameters> {
  /** The values of the parameters other than `format` and `csv_dialect`. */
  readonly choice: Query<P>;
  readonly format: StreamFormat;
  readonly dialect: CsvDialect | undefined;
}

/** A page of a listing. */
interface Page<P extends Parameters> {
  /**
   * The values of the parameters other than `limit` and `cursor`: from the request, or from the cursor; else the
   * defaults.
   */
  readonly choice: Query<P>;
  readonly limit: number;
  /** The position at which the page before ended, as that page's cursor contains it; null: this is the first page. */
  readonly after: Texts | null;
  /** The cursor for the page after `position`; null: there is no next page. */
  readonly nextCursor: (position: Texts | null) => string | null;
}

type Texts = Readonly<Record<string, string>>;

/**
 * A listing in pages. Its cursor contains its parameters. A request with a cursor may have another `limit`. It may only
 * repeat the values of the other parameters (docs/specification/rest-api.md#rest-cursor-params).
 */
export function listing<P extends Parameters>({
  path,
  query: own,
  defaults = {},
  limit,
  answer,
  stream,
}: Listing<P>): Route {
  const readTexts = (texts: Texts): Values =>
    Object.fromEntries(ownOf(own, texts).map(([name, text]) => [name, own[name]?.read(text)]));
  const standard = readTexts(defaults as Texts);

  return route({
    method: "GET",
    path,
    query: {
      ...own,
      limit: wholeNumber("limit", 1, limit.max),
      cursor: anyText,
      ...(stream === undefined ? {} : FORMAT_PARAMETERS),
    },
    read: ({ merchant: { code }, path: segments, query, texts }): Result<Page<P> | Whole<P>> => {
      const { format = "json", csv_dialect: dialect } = query as Query<typeof FORMAT_PARAMETERS>;
      if (format !== "json") {
        const faults = withoutPages(texts, format);
        if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
        const all = { ...standard, ...Object.fromEntries(ownOf(own, query as Values)) };
        return ok({ choice: all as Query<P>, format, dialect });
      }
      const name = [path, ...Object.values(segments)].join(" ");
      const begun =
        texts.cursor === undefined ? [Object.fromEntries(ownOf(own, texts))] : readCursor(name, code, texts.cursor);
      if (begun === undefined) return refuse("VALIDATION_ERROR", { details: [INVALID_CURSOR] });

      const [chosen = {}, after = null] = begun as readonly [Texts?, Texts?];
      const sent: Values = Object.fromEntries(ownOf(own, query as Values));
      const choice: Values = { ...standard, ...(texts.cursor === undefined ? sent : readTexts(chosen)) };
      const changed = Object.keys(sent).filter((one) => sent[one] !== undefined && sent[one] !== choice[one]);
      if (changed.length > 0) return refuse("VALIDATION_ERROR", { details: changed.map(changedFault) });
      return ok({
        choice: choice as Query<P>,
        limit: (query as { readonly limit?: number }).limit ?? limit.standard,
        after,
        nextCursor: (next) => (next === null ? null : writeCursor(name, code, [chosen, next])),
      });
    },
    answer: ({ query, ...call }) =>
      "format" in query ? (stream?.({ ...call, query }) ?? refuse("VALIDATION_ERROR")) : answer({ ...call, query }),
  });
}

/** Those entries whose names are parameters of this listing. */
const ownOf = <T>(own: Parameters, entries: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(entries).filter(([name]) => Object.hasOwn(own, name));

type Values = Readonly<Record<string, unknown>>;

const INVALID_CURSOR: FieldFault = {
  field: "cursor",
  rule: "a next_cursor of this listing",
  message: FAULT_TEXTS.cursor,
};

const changedFault = (field: string): FieldFault => ({
  field,
  rule: "as in the listing that the cursor continues",
  message: FAULT_TEXTS.unlikeCursor(field),
});
