/** A fault of one field of a request, in the service's own words. */
export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** A call that did not succeed. Decide by `code`: the service's error code, or UNREACHABLE or NOT_READABLE. */
export class Failure extends Error {
  readonly code: string;
  readonly field: string;
  readonly faults: readonly FieldFault[];

  constructor(code: string, message: string, field = "", faults: readonly FieldFault[] = []) {
    super(message);
    this.code = code;
    this.field = field;
    this.faults = faults;
  }
}

interface ConnectDetail {
  readonly type?: string;
  readonly debug?: {
    readonly reason?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly fieldViolations?: readonly { readonly field?: string; readonly description?: string }[];
  };
}

/** Reads the error of Connect's JSON protocol, or `{code, message}` of the session's own addresses. */
export function failureOf(reply: unknown, errorCode: string | null): Failure {
  const { code, message, details } = (typeof reply === "object" && reply !== null ? reply : {}) as {
    code?: unknown;
    message?: unknown;
    details?: readonly ConnectDetail[];
  };
  const debugs = Array.isArray(details) ? (details as readonly ConnectDetail[]).map(({ debug }) => debug) : [];
  const info = debugs.find((debug) => debug?.reason !== undefined);
  const faults = debugs
    .flatMap((debug) => debug?.fieldViolations ?? [])
    .map(({ field = "", description = "" }) => ({ field, text: description }));
  const named = info?.reason ?? errorCode ?? (typeof code === "string" ? code : "INTERNAL_ERROR");
  return new Failure(named, typeof message === "string" ? message : "", info?.metadata?.field ?? "", faults);
}
