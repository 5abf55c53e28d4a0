import type { ErrorCode } from "../../../domain/errors.ts";
import { failures } from "./failures.ts";
import { object, type Schema, text } from "./schema.ts";

/** The description of one operation of the signed API. */
export interface Described {
  readonly method: "get" | "post";
  /** The path from `/v1` on, as in the route. */
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
    readonly status?: 200 | 202 | 304;
    readonly data: Schema;
    /** The message of the envelope. */
    readonly message: string;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly data: unknown }>>;
    /** Replies without the envelope, by media type. */
    readonly streams?: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Schema>>;
  };
  /** Replies that are neither success nor failure, by status. */
  readonly others?: Readonly<Record<string, Schema>>;
  /** The operation's own refusals, beside those of any call. */
  readonly refusals?: readonly ErrorCode[];
}

const HEADERS = ["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

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
}: Described): Schema => {
  const { status = 200, message, data, examples, streams, headers } = success;
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
        description: "Done.",
        headers: {
          ...Object.fromEntries(HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
          ...headers,
        },
        content: {
          "application/json": {
            schema: envelope(status, data),
            examples: mapValues(examples, (example) => ({
              summary: example.summary,
              value: { success: true, message, statusCode: status, data: example.data },
            })),
          },
          ...streams,
        },
      },
      ...others,
      ...failures(method, refusals),
    },
  };
};

const envelope = (status: number, data: Schema): Schema =>
  object({
    success: { type: "boolean", const: true },
    message: text("For people, in the language of Content-Language."),
    statusCode: { type: "integer", const: status },
    data,
  });

const mapValues = <A, B>(record: Readonly<Record<string, A>>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** A query parameter. It is optional unless `more` says `required`. */
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
  description: `${description} Percent-encode it, \`/\` as \`%2F\`, too. Sign the encoded text.`,
  schema,
  example,
});

export const limit = (standard: number, max: number): Schema =>
  query("limit", { type: "integer", minimum: 1, maximum: max, default: standard }, "The most items of a page.");
export const cursor = query(
  "cursor",
  { type: "string", minLength: 1 },
  "The `next_cursor` of the page before. It carries the listing's parameters: beside it `limit` may differ, any other parameter may only repeat its value.",
);
export const nextCursor: Schema = {
  type: ["string", "null"],
  description: "Send it as `cursor` for the next page. null: this was the last page.",
};
