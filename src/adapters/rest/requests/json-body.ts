import { ok, type Result, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** What the checks of a body need: all values of each header, and the raw bytes. */
export interface RawBody {
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the JSON object of a POST. Refusals, in this order: UNSUPPORTED_MEDIA_TYPE (the body is encoded, or not
 * application/json), BAD_REQUEST (the body is empty, or not JSON in UTF-8), VALIDATION_ERROR (the body is JSON, but not
 * an object). If a key occurs twice, the last one counts.
 *
 * @param isOptional - an empty body counts as an empty object, and a body without a Content-Type is read as JSON.
 */
export function readJsonBody({ headers, body }: RawBody, isOptional = false): Result<JsonObject> {
  if (!isIdentity(headers["content-encoding"])) return refuse("UNSUPPORTED_MEDIA_TYPE", { field: "Content-Encoding" });
  const type = headers["content-type"];
  if (body.length > 0 && !isJson(type) && !(isOptional && type === undefined))
    return refuse("UNSUPPORTED_MEDIA_TYPE", { field: "Content-Type" });
  if (isOptional && body.length === 0) return ok({});
  const value = parse(body);
  if (value === undefined) return refuse("BAD_REQUEST", { field: "body" });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("VALIDATION_ERROR", {
      details: [{ field: "body", rule: "object", message: FAULT_TEXTS.object }],
    });
  }
  return ok(value as JsonObject);
}

const isIdentity = (lines: readonly string[] = []): boolean => lines.every((line) => /^(identity)?$/i.test(line));

/** A longer Content-Type is not read. */
const TYPE_MAX = 1_024;

/** Accepts `application/json` in one header line, without a charset or with UTF-8. */
function isJson(lines: readonly string[] = []): boolean {
  const text = lines.join(",");
  const [type = "", ...parameters] = text.length > TYPE_MAX ? [] : text.split(";");
  if (type.trim().toLowerCase() !== "application/json") return false;
  return parameters.every(
    (parameter) => !/^\s*charset\s*=/i.test(parameter) || /^\s*charset\s*=\s*"?utf-?8"?\s*$/i.test(parameter),
  );
}

/** Parses JSON. `undefined`, which JSON does not have: the text is not JSON. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}
