/**
 * Refusals in the API's description. Their status, message, details and retry come from the error table
 * (contract/errors/).
 */
import type { ErrorRow } from "../../../../contract/errors/row.ts";
import { ERRORS, type ExplainedCode } from "../../../domain/errors.ts";
import type { SignatureFault } from "../../../domain/signing/signature-fault.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { detailsOf, failureBody } from "../replies/reply.ts";
import { V1_TWICE } from "../requests/request-target.ts";
import { array, flag, named, object, type Schema, text } from "./schema.ts";

const REQUEST_ID = "5b1c6c1e-6b52-4c3c-8f1a-0c8f3e1f7c11";

/** The examples of `details` that code of the service makes. The error table has all other examples. */
const DETAILS: Partial<Record<ExplainedCode, object>> = {
  VALIDATION_ERROR: [{ field: "limit", rule: "1..500", message: FAULT_TEXTS.wholeNumber("limit", 1, 500) }],
  NOT_FOUND: V1_TWICE,
};

const REASON: Record<SignatureFault, string> = {
  unknown_merchant: "there is no merchant with this code",
  uppercase_hex: "the signature is correct, but in upper case",
  body_reserialized: "the signature is made over the same JSON, but not over the bytes that were sent",
  query_not_signed: "the signature is made over the target without its query string",
  path_prefix: "the signature is made over a path that doesn't begin at /v1",
  old_secret: "the signature is made with the previous secret",
  mismatch: "any other fault",
};

/** An additional sentence about a code. */
const NOTES: Partial<Record<ExplainedCode, string>> = {
  NOT_FOUND: "The reply has `details` only if the path begins with `/v1/v1`.",
  INVALID_SIGNATURE: `Only in staging and development \`details.reason\` says why: ${Object.entries(REASON)
    .map(([reason, meaning]) => `\`${reason}\` (${meaning})`)
    .join(", ")}.`,
};

/** The codes that any call under /v1 may get, whatever its operation. */
const EVERY_CALL: readonly ExplainedCode[] = [
  "BAD_REQUEST",
  "AUTH_HEADERS_MISSING",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_RANGE",
  "INVALID_NONCE",
  "INVALID_SIGNATURE",
  "NONCE_REUSED",
  "MERCHANT_DISABLED",
  "IP_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "VALIDATION_ERROR",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];
const EVERY_POST: readonly ExplainedCode[] = ["UNSUPPORTED_MEDIA_TYPE"];
/** The codes of a call whose path or method belongs to no operation. */
const NO_OPERATION: readonly ExplainedCode[] = ["NOT_FOUND", "METHOD_NOT_ALLOWED"];

/**
 * The schemas that the failures of all operations share. New codes may be added later, so the schema does not list them
 * as an enumeration.
 */
export const failureSchemas: Readonly<Record<string, Schema>> = {
  Failure: object({
    success: flag("Always false."),
    message: text("A text for people, in the language of the header Content-Language. Decide by `error.code`."),
    statusCode: { type: "integer", description: "The HTTP status." },
    error: named("FailureError"),
  }),
  FailureError: object(
    {
      code: text("The failure's code. Decide by this field. Each response lists the codes that it may have."),
      message: text("The same text as `message` beside `error`."),
      details: {
        oneOf: [named("FailureDetails"), array(named("FieldFault"), { minItems: 1 })],
        description:
          "Details that only some codes have. For VALIDATION_ERROR they are a list of faults, for all other codes an object.",
      },
      request_id: text("The same id as X-Request-Id. Give it to support.", { format: "uuid" }),
    },
    ["details"],
  ),
  FailureDetails: {
    type: "object",
    additionalProperties: true,
    description: "The fields of this object depend on the code.",
  },
  FieldFault: object({
    field: text("The name of the field or parameter; `body`: the whole body; `...`: the faults that are not listed."),
    rule: text("The rule that the field breaks, in a form for programs."),
    message: text("The rule as a text for people, in the language of the header Content-Language."),
  }),
};

/**
 * One line of text about a code: its message, an example of its details, and whether to send the same request again.
 */
function line(code: ExplainedCode): string {
  const details = detailsOf({ code, ...exampleOf(code) }, "en");
  const more = details === undefined ? "" : ` \`details\`, for example: \`${JSON.stringify(details)}\`.`;
  const note = NOTES[code] === undefined ? "" : ` ${NOTES[code]}`;
  return `- \`${code}\`: ${ERRORS[code].text.en}${more}${note}${ERRORS[code].retry === "same_request" ? " You may send the same request again, with a new signature." : ""}`;
}

function response(codes: readonly ExplainedCode[]): Schema {
  const seen = (header: string) => ({ $ref: `#/components/headers/${header}` });
  const rateLimits = {
    "RateLimit-Limit": seen("RateLimit-Limit"),
    "RateLimit-Remaining": seen("RateLimit-Remaining"),
    "RateLimit-Reset": seen("RateLimit-Reset"),
  };
  return {
    description: codes.map(line).join("\n"),
    headers: {
      "X-Request-Id": seen("X-Request-Id"),
      ...rateLimits,
      ...(codes.some((code) => ERRORS[code].http === 429 || ERRORS[code].http === 503) && {
        "Retry-After": seen("Retry-After"),
      }),
    },
    content: {
      "application/json": {
        schema: named("Failure"),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: failureBody({ code, ...exampleOf(code) }, REQUEST_ID) }]),
        ),
      },
    },
  };
}

const exampleOf = (code: ExplainedCode) => {
  const row: ErrorRow = ERRORS[code];
  const details = DETAILS[code] ?? row.merchants?.details;
  return details === undefined ? {} : { details: details as Readonly<Record<string, unknown>> };
};

function byStatus(codes: readonly ExplainedCode[]): Map<number, readonly ExplainedCode[]> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].http))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, codes.filter((code) => ERRORS[code].http === status)]));
}

const nameOf = (status: number): string => `Failure${status}`;

/**
 * The failures that all operations share, by name. `NoOperation`: the failures of a call that belongs to no operation.
 */
export const commonFailures = (): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    [...byStatus([...EVERY_CALL, ...EVERY_POST])].map(([status, codes]) => [nameOf(status), response(codes)]),
  ),
  NoOperation: response(NO_OPERATION),
});

/** The failures that an operation has besides the common failures, by status. */
const ownByStatus = (
  method: "get" | "post",
  codes: readonly ExplainedCode[],
): readonly (readonly [number, readonly ExplainedCode[]])[] => {
  const common = commonOf(method);
  const statuses = new Set<number>(codes.filter((code) => !common.includes(code)).map((code) => ERRORS[code].http));
  return [...byStatus([...new Set([...common, ...codes])])].filter(([status]) => statuses.has(status));
};

const commonOf = (method: "get" | "post") => (method === "post" ? [...EVERY_CALL, ...EVERY_POST] : EVERY_CALL);

/**
 * The responses that only this operation has, by name.
 *
 * @param operation - the operation's name, such as LaunchGame.
 */
export const ownFailures = (
  operation: string,
  method: "get" | "post",
  codes: readonly ExplainedCode[],
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(ownByStatus(method, codes).map(([status, all]) => [`${operation}${status}`, response(all)]));

/** The failures of an operation, by status: those of any call, and those with the codes in `codes`. */
export function failures(
  operation: string,
  method: "get" | "post",
  codes: readonly ExplainedCode[],
): Readonly<Record<string, Schema>> {
  const responseNamed = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(
      [...byStatus(commonOf(method)).keys()].map((status) => [status, responseNamed(nameOf(status))]),
    ),
    ...Object.fromEntries(
      ownByStatus(method, codes).map(([status]) => [status, responseNamed(`${operation}${status}`)]),
    ),
    default: responseNamed("NoOperation"),
  };
}
