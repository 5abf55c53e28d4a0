/** The API's description for tests: its operations and callbacks, and the check of a value by a schema. */
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/adapters/rest/openapi/document.ts";
import { ERRORS } from "../../src/domain/errors.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly $ref?: string; readonly type?: string };
}
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema: object;
        readonly example?: string;
        readonly examples?: Readonly<
          Record<
            string,
            { readonly value: { readonly message: string; readonly error?: { readonly details?: unknown } } }
          >
        >;
      }
    >
  >;
}
export interface ApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, Response>>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: ApiOperation }>>>>;
}

const document = openApiDocument("https://api.example");

/** The served document. */
export const api = document as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, ApiSchema>>;
  };
};

/** The part of a schema that tests read. */
interface ApiSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly nullable?: boolean }>>;
}

/** The callbacks of a wallet by action, each with the path of its description in the document. */
export const callbacks: ReadonlyMap<string, { readonly path: readonly string[]; readonly post: ApiOperation }> =
  new Map(
    Object.entries(api.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        Object.entries(operation.callbacks ?? {}).flatMap(([action, byUrl]) =>
          Object.entries(byUrl).map(
            ([url, { post }]) =>
              [action, { path: ["paths", path, method, "callbacks", action, url, "post"], post }] as const,
          ),
        ),
      ),
    ),
  );

/** The part of the document that a `$ref` names. */
export function resolve<T extends object>(part: T | { readonly $ref: string }): T {
  if (!("$ref" in part) || part.$ref === undefined) return part as T;
  const found = part.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return found as T;
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addKeyword({
  keyword: "x-max-bytes",
  type: "string",
  validate: (max: number, text: string) => Buffer.byteLength(text) <= max,
});
ajv.addSchema(closed(document) as object, "api");

/** Forbids properties that are not described. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return "properties" in copy && "required" in copy ? { additionalProperties: false, ...copy } : copy;
}

const pointer = (...parts: string[]): string =>
  `api#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
const compiled = new Map<string, ValidateFunction>();

/** The faults of a value, by the schema at this path of the document. */
export function faultsAt(schemaPath: readonly string[], value: unknown): string[] {
  const ref = pointer(...schemaPath);
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
  compiled.set(ref, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
      );
}

/** The operation with this method and target, and its path in the document. */
export function operationAt(
  method: string,
  target: string,
): { readonly path: string; readonly operation: ApiOperation | undefined } | undefined {
  const segments = (target.split("?")[0] ?? "").split("/");
  for (const [path, operations] of Object.entries(api.paths)) {
    const pattern = path.split("/");
    if (
      pattern.length === segments.length &&
      pattern.every((part, i) => (part.startsWith("{") ? segments[i] !== "" : part === segments[i]))
    )
      return { path, operation: operations[method.toLowerCase()] };
  }
  return undefined;
}

/**
 * Every code that a merchant's call may get, with the `details` in the description; undefined for a code without
 * details.
 */
export function describedDetails(): ReadonlyMap<string, unknown> {
  const operations = Object.values(api.paths).flatMap(Object.values) as ApiOperation[];
  const responses = [
    ...Object.values(api.components.responses),
    ...operations.flatMap(({ responses: own }) => Object.values(own).map(resolve<Response>)),
  ];
  const examples = responses.flatMap(({ content }) => Object.entries(content?.["application/json"]?.examples ?? {}));
  return new Map(
    examples.filter(([code]) => Object.hasOwn(ERRORS, code)).map(([code, { value }]) => [code, value.error?.details]),
  );
}
