import { CSV_DIALECT_NAMES } from "../../../../web-files/csv.ts";
import type { ExplainedCode } from "../../../domain/errors.ts";
import { DEFAULT_LANGUAGE, type Texts } from "../../../domain/values/language.ts";
import { failures, ownFailures } from "./failures.ts";
import { CURSOR } from "./forms.ts";
import { choice, flag, named, nullable, object, type Schema, text } from "./schema.ts";

/** The description of one operation of the signed API. */
export interface Described {
  readonly method: "get" | "post";
  /** The path from `/v1` on, in the form that the route has. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Schema[];
  readonly body?: {
    readonly required: boolean;
    readonly schema: Schema;
    readonly examples: Readonly<Record<string, Schema>>;
  };
  readonly success: {
    readonly status?: 200 | 202;
    readonly data: Schema;
    /** The message in the success envelope. */
    readonly message: Texts;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly data: unknown }>>;
    /** Replies without the envelope, by media type. */
    readonly streams?: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Schema>>;
  };
  /** Replies with other statuses that are neither success nor failure, by status. */
  readonly others?: Readonly<Record<string, Schema>>;
  /** The codes that only this operation has, in addition to the codes of any call. */
  readonly refusals?: readonly ExplainedCode[];
  /** Calls to the wallet that the service makes because of this operation, as OpenAPI callbacks. */
  readonly callbacks?: Readonly<Record<string, Schema>>;
}

const HEADERS = ["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/** The description of a success. The schema of its data has the details. */
export const SUCCESS = "Done.";

/** The name of an operation's schemas and responses: LaunchGame for launchGame. */
const nameOf = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
const replyOf = (id: string): string => `${nameOf(id)}Reply`;

/** The operation in OpenAPI's form. */
export const operation = ({
  method,
  id,
  tag,
  summary,
  description,
  parameters,
  body,
  success,
  others,
  refusals = [],
  callbacks,
}: Described): Schema => {
  const { status = 200, message, examples, streams, headers } = success;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: body.required,
        content: { "application/json": { schema: body.schema, examples: body.examples } },
      },
    }),
    responses: {
      [status]: {
        description: SUCCESS,
        headers: {
          ...Object.fromEntries(HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
          ...headers,
        },
        content: {
          "application/json": {
            schema: named(replyOf(id)),
            examples: mapValues(examples, (example) => ({
              summary: example.summary,
              value: { success: true, message: message[DEFAULT_LANGUAGE], statusCode: status, data: example.data },
            })),
          },
          ...streams,
        },
      },
      ...others,
      ...failures(nameOf(id), method, refusals),
    },
    ...(callbacks !== undefined && { callbacks }),
  };
};

/** The success envelope of an operation, by name. */
export const replySchema = ({ id, success: { data } }: Described): Readonly<Record<string, Schema>> => ({
  [replyOf(id)]: object({
    success: flag("Always true."),
    message: text("A text for people, in the language of the header Content-Language."),
    statusCode: { type: "integer", description: "The HTTP status." },
    data,
  }),
});

/** The responses that only this operation has, by name. */
export const ownResponses = ({ id, method, refusals = [] }: Described): Readonly<Record<string, Schema>> =>
  ownFailures(nameOf(id), method, refusals);

const mapValues = <A, B>(record: Readonly<Record<string, A>>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** A query parameter. It is optional unless `more` has `required`. */
export const query = (name: string, schema: Schema, description: string, more: Schema = {}): Schema => ({
  name,
  in: "query",
  description,
  schema,
  ...more,
});

/** A parameter in the path. */
export const inPath = (name: string, schema: Schema, description: string, example: string): Schema => ({
  name,
  in: "path",
  required: true,
  description: `${description} Percent-encode the value, also \`/\` (as \`%2F\`), and sign the encoded path.`,
  schema,
  example,
});

/**
 * `limit` may have a default in the description, because a request with a cursor may change it. A parameter that a
 * cursor contains may have no default: generated clients would send the default, and it would contradict the cursor.
 */
export const limit = (standard: number, max: number): Schema =>
  query(
    "limit",
    { type: "integer", minimum: 1, maximum: max, default: standard },
    "The maximum number of items on a page.",
  );
export const cursor = query(
  "cursor",
  CURSOR,
  "The `next_cursor` of the previous page. It contains the parameters of the listing. With a cursor, you may change `limit`. Leave the other parameters out or repeat their values.",
);
export const csvDialect = query(
  "csv_dialect",
  choice(CSV_DIALECT_NAMES),
  "How `format=csv` is written. Other formats ignore it. `standard`, which is the default: RFC 4180, with commas and decimal points. `semicolon`: semicolons, decimal commas and a byte order mark at the beginning, as spreadsheets of Brazil, Argentina, Chile and Colombia open it.",
);
export const nextCursor = nullable(text("Send it as `cursor` to get the next page. null: this is the last page."));
