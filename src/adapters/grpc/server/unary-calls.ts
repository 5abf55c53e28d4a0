import {
  type handleUnaryCall,
  type Metadata,
  type ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import type { IncomingCall } from "./call-context.ts";

type Bytes = Uint8Array;

/** A handler as grpc-js calls it: with the call, and a function to which it gives the status or the response, once. */
export type UnaryHandler = handleUnaryCall<Bytes, Bytes>;

/** The part of grpc-js' listener that is used here. */
interface Listener {
  onReceiveMetadata(metadata: Metadata): void;
  onReceiveMessage(message: Bytes): void;
  onReceiveHalfClose(): void;
  onCancel(): void;
}

/**
 * Serves unary methods through grpc-js' interface for interceptors. Left to itself, grpc-js (1.14.7) makes a Writable
 * for each unary call, to which nothing is written, and sends the status one turn of the event loop after the message.
 * Node's Writables outlive their call (see limits/requests.ts), and with them everything that they refer to.
 */
export class UnaryCalls {
  readonly #handlers = new Map<string, UnaryHandler>();

  /** @param path - `/package.Service/Method`. */
  add(path: string, handler: UnaryHandler): void {
    this.#handlers.set(path, handler);
  }

  /** An option of grpc-js' server. grpc-js itself does not call the handler of a method that was added here. */
  readonly interceptor: ServerInterceptor = ({ path }, call) => {
    const handler = this.#handlers.get(path);
    // grpc-js only calls `start`, and gives its own listener, which is not used.
    return (
      handler === undefined ? call : { start: () => call.start(new UnaryCall(path, call, handler) as never) }
    ) as ServerInterceptingCall;
  };
}

/** A unary call: grpc-js' listener, and what a handler needs of grpc-js' own call. */
class UnaryCall implements IncomingCall, Listener {
  readonly #path: string;
  readonly #call: ServerInterceptingCallInterface;
  readonly #handler: UnaryHandler;
  #metadata: Metadata | undefined;
  #request: Bytes | undefined;
  #cancelled = false;
  #onCancelled: (() => void)[] | undefined;

  constructor(path: string, call: ServerInterceptingCallInterface, handler: UnaryHandler) {
    this.#path = path;
    this.#call = call;
    this.#handler = handler;
  }

  get metadata(): Metadata {
    return this.#metadata as Metadata;
  }

  get request(): Bytes {
    return this.#request as Bytes;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  once(_: "cancelled", listener: () => void): void {
    this.#onCancelled ??= [];
    this.#onCancelled.push(listener);
  }

  getPath(): string {
    return this.#path;
  }

  getPeer(): string {
    return this.#call.getPeer();
  }

  getDeadline(): Date | number {
    return this.#call.getDeadline();
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#call.startRead();
  }

  onReceiveMessage(message: Bytes): void {
    if (this.#request !== undefined) return this.#call.sendStatus(SECOND_MESSAGE);
    this.#request = message;
    this.#call.startRead();
  }

  onReceiveHalfClose(): void {
    if (this.#request === undefined) return this.#call.sendStatus(NO_MESSAGE);
    this.#handler(this as never, (failure, response) => {
      if (failure !== null) return this.#call.sendStatus(failure as StatusObject);
      // The status does not wait until the message is written, so that both are sent at once.
      this.#call.sendMessage(response, () => {});
      this.#call.sendStatus(OK);
    });
  }

  onCancel(): void {
    this.#cancelled = true;
    for (const listener of this.#onCancelled?.splice(0) ?? []) listener();
  }
}

const OK = { code: status.OK, details: "OK", metadata: null };
const SECOND_MESSAGE = {
  code: status.UNIMPLEMENTED,
  details: "the method takes one request message, and a second one came",
  metadata: null,
};
const NO_MESSAGE = {
  code: status.UNIMPLEMENTED,
  details: "the method takes one request message, and none came",
  metadata: null,
};
