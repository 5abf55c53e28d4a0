/**
 * The one table of error codes. REST, gRPC and the API's description take statuses and `retry` from this table.
 *
 * A new code needs a row here, and a row in docs/specification/errors.md that says who can get it. Tests then fail until
 * you have added:
 * - for a code that merchants get: its text in each language in texts/error-texts.ts, docs/merchant.md, `refusals` of its
 *   operations in src/adapters/rest/openapi, and a request that gets this code in
 *   test/adapters/rest/requests/every-error.test.ts;
 * - for a code that providers get: docs/provider.md; for a code that the sportsbook gets: docs/sportsbook.md;
 * - for a code that the administration gets: the command line's text for it, in src/cli/service/failure.ts.
 */

import type { Texts } from "./values/language.ts";

/** A gRPC status, by the name of its code. */
export type GrpcCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "UNAUTHENTICATED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "UNAVAILABLE"
  | "INTERNAL";

interface ErrorRow {
  /** HTTP status of the REST API. */
  readonly http: number;
  readonly grpc: GrpcCode;
  /** Whether the same request may succeed if the client sends it again unchanged. */
  readonly retry: "never" | "same_request";
}

export const ERRORS = {
  // The checks of authentication, in their order (docs/specification/signing.md#sign-order).
  PAYLOAD_TOO_LARGE: { http: 413, grpc: "INVALID_ARGUMENT", retry: "never" },
  AUTH_HEADERS_MISSING: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
  },
  INVALID_TIMESTAMP: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
  },
  TIMESTAMP_OUT_OF_RANGE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
  },
  INVALID_NONCE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
  },
  INVALID_SIGNATURE: { http: 401, grpc: "UNAUTHENTICATED", retry: "never" },
  INVALID_API_KEY: { http: 401, grpc: "UNAUTHENTICATED", retry: "never" },
  TOKEN_INVALID: { http: 401, grpc: "UNAUTHENTICATED", retry: "never" },
  MERCHANT_DISABLED: { http: 403, grpc: "PERMISSION_DENIED", retry: "never" },
  IP_NOT_ALLOWED: { http: 403, grpc: "PERMISSION_DENIED", retry: "never" },
  RATE_LIMITED: {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
  },
  NONCE_REUSED: { http: 401, grpc: "UNAUTHENTICATED", retry: "never" },

  // Codes that any request may get.
  NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  METHOD_NOT_ALLOWED: {
    http: 405,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
  },
  BAD_REQUEST: { http: 400, grpc: "INVALID_ARGUMENT", retry: "never" },
  VALIDATION_ERROR: {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
  },

  // The checks of a launch, in their order (docs/specification/launch.md#launch-order).
  UNSUPPORTED_CURRENCY: { http: 400, grpc: "INVALID_ARGUMENT", retry: "never" },
  CURRENCY_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
  },
  INVALID_COUNTRY: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
  },
  GAME_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  AMBIGUOUS_GAME: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  PRODUCT_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
  },
  PROVIDER_NOT_SUPPORTED: {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  LAUNCH_FAILED: {
    http: 502,
    grpc: "UNAVAILABLE",
    retry: "same_request",
  },
  WALLET_NOT_CONFIGURED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  LAUNCH_GAME_FAILED: {
    http: 500,
    grpc: "INTERNAL",
    retry: "same_request",
  },

  // Codes of requests for transactions and sessions.
  TRANSACTION_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  ROUND_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  TRANSACTION_MISMATCH: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
  },
  TRANSACTION_REVERSED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  INVALID_AMOUNT: { http: 422, grpc: "INVALID_ARGUMENT", retry: "never" },
  NOT_RESENDABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  SESSION_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  SESSION_EXPIRED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never" },
  DEMO_SESSION: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },
  TOKEN_USED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never" },
  TOKEN_EXPIRED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never" },

  // Codes of administrative calls.
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
  },
  FOREIGN_PAGE: { http: 403, grpc: "PERMISSION_DENIED", retry: "never" },
  RECORD_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never" },
  ALREADY_EXISTS: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
  },
  ROTATION_RUNNING: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never" },
  ROTATION_NOT_RUNNING: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never" },
  NOT_RESOLVABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
  },

  // Codes for overload and for faults of this service.
  OVERLOADED: {
    http: 503,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
  },
  WALLET_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
  },
  INTERNAL_ERROR: { http: 500, grpc: "INTERNAL", retry: "same_request" },
} as const satisfies Record<string, ErrorRow>;

/** The code by which clients decide what to do. */
export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request's field, as `details` of VALIDATION_ERROR lists them. */
export interface FieldFault {
  readonly field: string;
  /** The rule that the field broke. Programs read it, and people who read logs or administer the service. */
  readonly rule: string;
  /** The text for people at a merchant. Absent: no REST reply has this fault. */
  readonly message?: Texts;
}

/** The reason why the service refuses a request. It is returned as a value, never thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The field that is wrong or differs, if there is one. */
  readonly field?: string;
  /**
   * The merchant's wallet is the reason: it gave no answer, or its calls in progress use all its permits. Metrics have
   * this, and callers do not get it.
   */
  readonly cause?: "wallet";
  /** Sent as `error.details` (REST). A long list of faults is shortened (values/field-fault.ts). */
  readonly details?: Readonly<Record<string, unknown>> | readonly FieldFault[];
}

/** A value, or the refusal if there is no value. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Whether the details are the list of faults of a VALIDATION_ERROR. */
export const areFaults = (details: Refusal["details"]): details is readonly FieldFault[] => Array.isArray(details);

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, more: Omit<Refusal, "code"> = {}): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, ...more },
});
