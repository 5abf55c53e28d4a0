import { ok, type Result, refuse } from "../../../domain/errors.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a body check looks at: each header's lines, and the raw bytes. */
export interface RawBody {
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The JSON object of a POST. In this order: UNSUPPORTED_MEDIA_TYPE (a body that is encoded or not application/json),
 * BAD_REQUEST (not JSON in UTF-8, or nothing), VALIDATION_ERROR (JSON, but no object). Of duplicate keys the last counts.
 *
 * @param isOptional - nothing counts as an empty object, and without a Content-Type it is taken for JSON.
 */
export function readJsonBody({ headers, body }: RawBody, isOptional = false): Result<JsonObject> {
  if (!isIdentity(headers["content-encoding"])) return refuse("UNSUPPORTED_MEDIA_TYPE", { field: "Content-Encoding" });
  const type = headers["content-type"];
  if (body.length > 0 && !isJson(type) && !(isOptional && type === undefined)) return refuse("UNSUPPORTED_MEDIA_TYPE", { field: "Content-Type" });
  if (isOptional && body.length === 0) return ok({});
  const value = parse(body);
  if (value === undefined) return refuse("BAD_REQUEST", { field: "body" });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("VALIDATION_ERROR", { details: [{ field: "body", rule: "object", message: "O corpo deve ser um objeto JSON." }] });
  }
  return ok(value as JsonObject);
}

const isIdentity = (lines: readonly string[] = []): boolean => lines.every((line) => /^(identity)?$/i.test(line));

/** `application/json`, with no charset or UTF-8, in one header line. */
function isJson(lines: readonly string[] = []): boolean {
  const [type = "", ...parameters] = lines.join(",").split(";");
  if (type.trim().toLowerCase() !== "application/json") return false;
  return parameters.every((parameter) => !/^\s*charset\s*=/i.test(parameter) || /^\s*charset\s*=\s*"?utf-?8"?\s*$/i.test(parameter));
}

/** `undefined` is no JSON value, so it stands for a text that is none. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}
