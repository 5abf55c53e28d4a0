import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";

/** The reason why a call ended without a reply. */
export interface Refusal {
  /** The service's code, for example `INVALID_API_KEY`; empty: there was no answer in time, or no connection. */
  readonly code: string;
  /**
   * Whether the very same request may be sent again. A request without an answer must be sent again, because the
   * service may have executed it.
   */
  readonly isRepeatable: boolean;
  /** The name of the field that is wrong, if the refusal names one. */
  readonly field: string | undefined;
  /** The wire id of the win that has settled the bet, if the code is `BET_SETTLED`. */
  readonly settledBy: string | undefined;
}

/** An error with one of these gRPC codes, but no code of the service, means that the service did not answer. */
const WITHOUT_ANSWER: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Aborted,
  Code.Internal,
  Code.Unknown,
]);

/** Reads the error that a call threw. */
export function refusalOf(cause: unknown): Refusal {
  const error = ConnectError.from(cause);
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info === undefined)
    return { code: "", isRepeatable: WITHOUT_ANSWER.has(error.code), field: undefined, settledBy: undefined };
  const { retry, field, settled_by: settledBy } = info.metadata;
  return { code: info.reason, isRepeatable: retry === "same_request", field, settledBy };
}
