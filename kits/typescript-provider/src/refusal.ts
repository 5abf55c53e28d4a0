import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";

/** Why a call ended without a reply. */
export interface Refusal {
  /** The service's code, `INVALID_API_KEY` for example; empty: there was no answer in time, or no connection. */
  readonly code: string;
  /** Whether the very same request may be sent again. Without an answer it must be: it may have been carried out. */
  readonly isRepeatable: boolean;
  /** The field at fault, where there is one. */
  readonly field: string | undefined;
}

/** These have no code of the service only when the request never got an answer of it. */
const WITHOUT_ANSWER: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Aborted,
  Code.Internal,
  Code.Unknown,
]);

/** Reads what a call threw. */
export function refusalOf(cause: unknown): Refusal {
  const error = ConnectError.from(cause);
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info === undefined) return { code: "", isRepeatable: WITHOUT_ANSWER.has(error.code), field: undefined };
  return { code: info.reason, isRepeatable: info.metadata.retry === "same_request", field: info.metadata.field };
}
