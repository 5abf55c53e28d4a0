/** Refusals in the service's form (docs/specification/errors.md#err-grpc-shape). */
import { Code, ConnectError } from "@connectrpc/connect";
import { ERRORS, type ErrorCode, type GrpcCode } from "../../../src/domain/errors.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";

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

export interface Refusal {
  readonly code: ErrorCode;
  readonly field?: string;
  /** The rule for the field; only of VALIDATION_ERROR. */
  readonly rule?: string;
}

export function refusalError({ code, field, rule }: Refusal): ConnectError {
  const { grpc, retry } = ERRORS[code];
  const why = field === undefined ? "" : `: ${field}${rule === undefined ? "" : ` (${rule})`}`;
  const error = new ConnectError(`${code}${why}`, CODES[grpc], { "error-code": code });
  error.details.push({
    desc: ErrorInfoSchema,
    value: { reason: code, domain: "aggregator", metadata: field === undefined ? { retry } : { retry, field } },
  });
  if (field !== undefined && rule !== undefined)
    error.details.push({ desc: BadRequestSchema, value: { fieldViolations: [{ field, description: rule }] } });
  return error;
}

/** Whether the same request may succeed later. */
export const mayRepeat = (code: ErrorCode): boolean => ERRORS[code].retry === "same_request";
