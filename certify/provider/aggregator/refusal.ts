/** Refusals in the service's form (docs/specification/errors.md#err-grpc-shape). */
import { Code, ConnectError } from "@connectrpc/connect";
import { ERRORS, type ErrorCode, type FieldFault, type GrpcCode } from "../../../src/domain/errors.ts";
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
  /** The field at fault, if the code is not VALIDATION_ERROR. */
  readonly field?: string;
  /** Present only for VALIDATION_ERROR. */
  readonly faults?: readonly FieldFault[];
}

export function refusalError({ code, faults = [], field = faults[0]?.field }: Refusal): ConnectError {
  const { grpc, retry } = ERRORS[code];
  const why = faults.length > 0 ? faults.map((fault) => `${fault.field} (${fault.rule})`).join(", ") : field;
  const error = new ConnectError(why === undefined ? code : `${code}: ${why}`, CODES[grpc], { "error-code": code });
  error.details.push({
    desc: ErrorInfoSchema,
    value: { reason: code, domain: "aggregator", metadata: field === undefined ? { retry } : { retry, field } },
  });
  if (faults.length > 0) {
    const fieldViolations = faults.map((fault) => ({ field: fault.field, description: fault.rule }));
    error.details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  return error;
}

/** Whether the same request may succeed later. */
export const mayRepeat = (code: ErrorCode): boolean => ERRORS[code].retry === "same_request";
