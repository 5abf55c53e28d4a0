import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { Metadata } from "@grpc/grpc-js";

/** The part of a call that its context needs. grpc-js' calls have it, too. */
export interface IncomingCall {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  getPath(): string;
  getPeer(): string;
  getDeadline(): Date | number;
  once(event: "cancelled", listener: () => void): unknown;
}

/** The connection of a call: the caller's address and port. */
export const CONNECTION = createContextKey("");
/** The id of the console's session in a call of a browser, whose origin was checked; empty: there is none. */
export const CONSOLE_SESSION = createContextKey("");

/**
 * The reason of the abort when a caller hangs up or its deadline passes. The error is created only once, because
 * hostile callers cancel thousands of calls a second. An abort without a reason creates an error with its stack each
 * time.
 */
export const LEFT = Object.freeze(new ConnectError("the caller left", Code.Canceled));

/**
 * The context of a call, as service implementations need it. Each part is created at its first use, because
 * most calls read only one header.
 */
export class CallContext implements HandlerContext {
  readonly method: DescMethod;
  readonly protocolName = "grpc";
  readonly requestMethod = "POST";
  readonly #call: IncomingCall;
  #requestHeader: Headers | undefined;
  #signal: AbortSignal | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethod, call: IncomingCall) {
    this.method = method;
    this.#call = call;
  }

  get service(): DescService {
    return this.method.parent;
  }

  get url(): string {
    return this.#call.getPath();
  }

  get requestHeader(): Headers {
    this.#requestHeader ??= headersOf(this.#call.metadata);
    return this.#requestHeader;
  }

  /** Aborted when the caller hangs up or its deadline passes. */
  get signal(): AbortSignal {
    this.#signal ??= cancellation(this.#call);
    return this.#signal;
  }

  get values(): ContextValues {
    this.#values ??= createContextValues().set(CONNECTION, this.#call.getPeer());
    return this.#values;
  }

  get responseHeader(): never {
    throw new Error("a service implementation cannot send headers");
  }

  get responseTrailer(): never {
    throw new Error("a service implementation cannot send trailers; throw an error that has them");
  }

  /** The time left until the caller's deadline, in ms, at least 0. `undefined`: the call has no deadline. */
  readonly timeoutMs = (): number | undefined => {
    const deadline = this.#call.getDeadline();
    const at = typeof deadline === "number" ? deadline : deadline.getTime();
    return at === Number.POSITIVE_INFINITY ? undefined : Math.max(0, at - Date.now());
  };
}

/**
 * The text values of metadata. Services read single headers, so there is only the method `get`: a whole Headers object
 * takes 2 us for each call.
 */
const headersOf = (metadata: Metadata): Headers => {
  const get = (name: string): string | null => {
    const values = metadata.get(name).filter((value) => typeof value === "string");
    return values.length === 0 ? null : values.join(", ");
  };
  return { get } as Partial<Headers> as Headers;
};

function cancellation(call: IncomingCall): AbortSignal {
  const controller = new AbortController();
  if (call.cancelled) controller.abort(LEFT);
  else call.once("cancelled", () => controller.abort(LEFT));
  return controller.signal;
}
