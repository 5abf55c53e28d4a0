import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Refusal } from "../../../domain/errors.ts";
import { refusalOf } from "./refusal-error.ts";

/** How an rpc has ended. */
export interface Call {
  readonly service: string;
  readonly method: string;
  /** The gRPC status in capitals, such as `OK`. */
  readonly code: string;
  /** The refusal that the caller got; undefined: the service did not refuse the call. */
  readonly refusal: Refusal | undefined;
  readonly seconds: number;
}

/** This callback is called when an rpc has ended. */
export type OnCall = (call: Call) => void;

const NAMES = new Map(
  Object.entries(Code).flatMap(([name, code]) =>
    typeof code === "number" ? [[code, name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()] as const] : [],
  ),
);

/** The name of the status that the caller gets for this error. */
const codeOf = (cause: unknown): string =>
  NAMES.get(cause instanceof ConnectError ? cause.code : Code.Internal) ?? "UNKNOWN";

/**
 * Begins to measure a call. Call the returned function at the call's end. If the call failed, the cause decides the
 * reported status.
 */
export function measureCall(method: DescMethod, onCall: OnCall): (failure?: { readonly cause: unknown }) => void {
  const began = performance.now();
  return (failure) =>
    onCall({
      service: method.parent.typeName,
      method: method.name,
      code: failure === undefined ? "OK" : codeOf(failure.cause),
      refusal: failure && refusalOf(failure.cause),
      seconds: (performance.now() - began) / 1_000,
    });
}

/** Measures the calls of Connect and gRPC-Web. A call with a stream of responses ends with the last response. */
export const measuring =
  (onCall: OnCall): Interceptor =>
  (next) =>
  async (request) => {
    const ended = measureCall(request.method, onCall);
    try {
      const response = await next(request);
      if (!response.stream) ended();
      return response.stream ? { ...response, message: watched(response.message, ended) } : response;
    } catch (cause) {
      ended({ cause });
      throw cause;
    }
  };

async function* watched<T>(
  messages: AsyncIterable<T>,
  ended: (failure?: { readonly cause: unknown }) => void,
): AsyncGenerator<T> {
  try {
    yield* messages;
    ended();
  } catch (cause) {
    ended({ cause });
    throw cause;
  }
}
