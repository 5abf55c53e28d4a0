import { Code, ConnectError } from "@connectrpc/connect";
import { areFaults, ERRORS, type ErrorCode, type GrpcCode, type Refusal, type Result } from "../../../domain/errors.ts";
import { listedFaults } from "../../../domain/values/field-fault.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";

const CODES: Readonly<Record<GrpcCode, Code>> = {
  INVALID_ARGUMENT: Code.InvalidArgument,
  NOT_FOUND: Code.NotFound,
  ALREADY_EXISTS: Code.AlreadyExists,
  PERMISSION_DENIED: Code.PermissionDenied,
  UNAUTHENTICATED: Code.Unauthenticated,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  UNAVAILABLE: Code.Unavailable,
  INTERNAL: Code.Internal,
};

/** The refusals of the errors that this module created. */
const refusals = new WeakMap<object, Refusal>();

/** The refusal whose error this is; undefined: it is another error. */
export const refusalOf = (cause: unknown): Refusal | undefined =>
  typeof cause === "object" && cause !== null ? refusals.get(cause) : undefined;

/**
 * Creates the error that gRPC and Connect send for a refusal. The error has the status of the error table,
 * google.rpc.ErrorInfo (reason, domain `aggregator`, metadata `retry`, `field` and the refusal's own), google.rpc.BadRequest for
 * VALIDATION_ERROR, and the code in the trailer `error-code`. Its message is for logs: the code, then the wrong fields.
 */
function refusalError(refusal: Refusal): ConnectError {
  const { grpc, retry } = ERRORS[refusal.code];
  const faults = areFaults(refusal.details) ? listedFaults(refusal.details) : [];
  const field = refusal.field ?? faults[0]?.field;
  const why = faults.length > 0 ? faults.map((fault) => `${fault.field} (${fault.rule})`).join(", ") : refusal.field;
  const error = new ConnectError(why === undefined ? refusal.code : `${refusal.code}: ${why}`, CODES[grpc], {
    "error-code": refusal.code,
  });
  error.details.push({
    desc: ErrorInfoSchema,
    value: {
      reason: refusal.code,
      domain: "aggregator",
      metadata: { retry, ...(field !== undefined && { field }), ...refusal.metadata },
    },
  });
  if (faults.length > 0) {
    error.details.push({
      desc: BadRequestSchema,
      value: { fieldViolations: faults.map((fault) => ({ field: fault.field, description: fault.rule })) },
    });
  }
  refusals.set(error, refusal);
  return error;
}

/**
 * Errors of refusals without a field or details. Each is created once and frozen. An overloaded replica answers most
 * calls with such a refusal. A new error with its stack would double the cost of each refusal, and other calls would
 * get less CPU time.
 */
const bare = new Map<ErrorCode, ConnectError>();
/** The same for refusals that a wallet has caused. */
const bareOfWallets = new Map<ErrorCode, ConnectError>();

/** The error of a refusal without a field or details. */
export function bareRefusal(code: ErrorCode, cause?: Refusal["cause"]): ConnectError {
  const made = cause === undefined ? bare : bareOfWallets;
  const known = made.get(code);
  if (known !== undefined) return known;
  const error = Object.freeze(refusalError({ code, ...(cause && { cause }) }));
  made.set(code, error);
  return error;
}

/** Returns the value, or throws the refusal as the error that {@link refusalError} creates. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, field, details, cause } = result.refusal;
  throw field === undefined && details === undefined ? bareRefusal(code, cause) : refusalError(result.refusal);
}

/**
 * Runs a handler. If the handler throws a ConnectError, the caller gets it unchanged. For any other error the caller
 * gets INTERNAL_ERROR without details, and telemetry gets the cause.
 */
export async function guard<T>(telemetry: Telemetry, what: string, handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (cause) {
    if (cause instanceof ConnectError) throw cause;
    telemetry.error(what, cause);
    throw refusalError({ code: "INTERNAL_ERROR" });
  }
}
