/** The errors of calls. The class of a refusal depends on the service's `error.code`. */

interface Refusal {
  /** `error.code`. Decide by this code or by the error's class, never by the message. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Portuguese text for people. */
  readonly message: string;
  /** The id of this call. Give it to support when you ask for help. */
  readonly requestId: string;
  /** More about the code. A VALIDATION_ERROR lists every fault: `[{field, rule, message}]`. */
  readonly details: unknown;
  /** The pause in the Retry-After header, in ms; undefined: no such header. */
  readonly retryAfterMs: number | undefined;
}

/** The service refused the call. */
export class AggregatorError extends Error {
  override readonly name: string = "AggregatorError";
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  readonly details: unknown;
  readonly retryAfterMs: number | undefined;

  constructor({ code, status, message, requestId, details, retryAfterMs }: Refusal) {
    super(`${code}: ${message}`);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The signature, its headers or its time are wrong. */
export class AuthenticationError extends AggregatorError {
  override readonly name: string = "AuthenticationError";
}
/** The merchant, its address, its currency or its products do not allow the call. */
export class PermissionError extends AggregatorError {
  override readonly name: string = "PermissionError";
}
/** The game, transaction, round or path does not exist. */
export class NotFoundError extends AggregatorError {
  override readonly name: string = "NotFoundError";
}
/** The call's form or content is wrong. */
export class ValidationError extends AggregatorError {
  override readonly name: string = "ValidationError";
}
/**
 * The present state does not allow the call: an ambiguous game, a provider that opens no games, no walletUrl, a transaction
 * that cannot be resent.
 */
export class ConflictError extends AggregatorError {
  override readonly name: string = "ConflictError";
}
/** Too many calls. */
export class RateLimitedError extends AggregatorError {
  override readonly name: string = "RateLimitedError";
}
/** The service or a provider cannot serve the call now. The same call may succeed later. */
export class UnavailableError extends AggregatorError {
  override readonly name: string = "UnavailableError";
}

/** There was no answer, or the answer is unreadable. The service may have received the call. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

const TYPES: Readonly<Record<string, typeof AggregatorError>> = {
  AUTH_HEADERS_MISSING: AuthenticationError,
  INVALID_TIMESTAMP: AuthenticationError,
  TIMESTAMP_OUT_OF_RANGE: AuthenticationError,
  INVALID_NONCE: AuthenticationError,
  INVALID_SIGNATURE: AuthenticationError,
  NONCE_REUSED: AuthenticationError,
  MERCHANT_DISABLED: PermissionError,
  IP_NOT_ALLOWED: PermissionError,
  CURRENCY_NOT_ENABLED: PermissionError,
  PRODUCT_NOT_ENABLED: PermissionError,
  NOT_FOUND: NotFoundError,
  GAME_NOT_FOUND: NotFoundError,
  TRANSACTION_NOT_FOUND: NotFoundError,
  ROUND_NOT_FOUND: NotFoundError,
  PAYLOAD_TOO_LARGE: ValidationError,
  METHOD_NOT_ALLOWED: ValidationError,
  UNSUPPORTED_MEDIA_TYPE: ValidationError,
  BAD_REQUEST: ValidationError,
  VALIDATION_ERROR: ValidationError,
  UNSUPPORTED_CURRENCY: ValidationError,
  INVALID_COUNTRY: ValidationError,
  AMBIGUOUS_GAME: ConflictError,
  WALLET_NOT_CONFIGURED: ConflictError,
  NOT_RESENDABLE: ConflictError,
  PROVIDER_NOT_SUPPORTED: ConflictError,
  RATE_LIMITED: RateLimitedError,
  LAUNCH_FAILED: UnavailableError,
  LAUNCH_GAME_FAILED: UnavailableError,
  SERVICE_UNAVAILABLE: UnavailableError,
  INTERNAL_ERROR: UnavailableError,
};

/** The error of a refusal. For an unknown code it is a plain {@link AggregatorError}. */
export const errorOf = (refusal: Refusal): AggregatorError =>
  new (Object.hasOwn(TYPES, refusal.code) ? (TYPES[refusal.code] ?? AggregatorError) : AggregatorError)(refusal);
