/** The errors of calls. The class of a refusal depends on the service's `error.code`. */
import { ERROR_KINDS } from "./gen/error-kinds.ts";

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

const TYPES = {
  authentication: AuthenticationError,
  permission: PermissionError,
  not_found: NotFoundError,
  validation: ValidationError,
  conflict: ConflictError,
  rate_limited: RateLimitedError,
  launch: UnavailableError,
  unavailable: UnavailableError,
} as const satisfies Readonly<Record<string, typeof AggregatorError>>;
const KINDS: Readonly<Record<string, keyof typeof TYPES>> = ERROR_KINDS;

/** The error of a refusal. For an unknown code it is a plain {@link AggregatorError}. */
export function errorOf(refusal: Refusal): AggregatorError {
  const kind = Object.hasOwn(KINDS, refusal.code) ? KINDS[refusal.code] : undefined;
  return new (kind === undefined ? AggregatorError : TYPES[kind])(refusal);
}
