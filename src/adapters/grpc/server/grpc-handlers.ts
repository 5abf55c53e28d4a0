import { once } from "node:events";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type {
  handleClientStreamingCall,
  handleUnaryCall,
  MethodDefinition,
  ServerDuplexStream,
  ServerReadableStream,
  ServerWritableStream,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import { CallContext, LEFT } from "./call-context.ts";
import { grpcStatus } from "./grpc-status.ts";
import { measureCall, type OnCall } from "./on-call.ts";

type Bytes = Uint8Array;
type Request = MessageShape<DescMessage>;
type Response = MessageInitShape<DescMessage>;
type Unary = (request: Request, context: HandlerContext) => Promise<Response> | Response;
type ClientStreaming = (requests: AsyncIterable<Request>, context: HandlerContext) => Promise<Response>;
type ServerStreaming = (request: Request, context: HandlerContext) => AsyncIterable<Response>;
type BidiStreaming = (requests: AsyncIterable<Request>, context: HandlerContext) => AsyncIterable<Response>;

/** Counts the handlers that run. A handler may end long after its caller has hung up. */
export interface Running {
  begin(): void;
  end(): void;
}

/**
 * Serves a Connect service implementation with grpc-js. This needs a quarter of the CPU time of connect-node's gRPC.
 */
export function grpcHandlers<S extends DescService>(
  service: S,
  implementation: ServiceImpl<S>,
  running: Running,
  onCall: OnCall = () => {},
) {
  const methods: readonly DescMethod[] = service.methods;
  const definition: Record<string, MethodDefinition<Bytes, Bytes>> = {};
  const handlers: Record<string, UntypedHandleCall> = {};
  for (const method of methods) {
    const implemented = implementation[method.localName as keyof S["method"]] as unknown as (
      ...args: never[]
    ) => unknown;
    definition[method.localName] = methodDefinition(method);
    handlers[method.localName] = handlerOf(method, implemented.bind(implementation), running, onCall);
  }
  return { definition, handlers };
}

/**
 * grpc-js passes the bytes without change. The handlers decode and encode the messages, so that a message that can't be
 * read gets the right status.
 */
function methodDefinition(method: DescMethod): MethodDefinition<Bytes, Bytes> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestDeserialize: (bytes) => bytes,
    requestSerialize: toBuffer,
    responseDeserialize: (bytes) => bytes,
    responseSerialize: toBuffer,
  };
}

function handlerOf(
  method: DescMethod,
  implemented: (...args: never[]) => unknown,
  running: Running,
  onCall: OnCall,
): UntypedHandleCall {
  switch (method.methodKind) {
    case "unary":
      return unary(method, implemented as Unary, running, onCall);
    case "server_streaming":
      return (call: ServerWritableStream<Bytes, Bytes>) =>
        void send(method, call, onCall, () =>
          (implemented as ServerStreaming)(read(method, call.request), new CallContext(method, call)),
        );
    case "bidi_streaming":
      return (call: ServerDuplexStream<Bytes, Bytes>) =>
        void send(method, call, onCall, () =>
          (implemented as BidiStreaming)(requests(method, call), new CallContext(method, call)),
        );
    case "client_streaming":
      return clientStreaming(method, implemented as ClientStreaming, running, onCall);
  }
}

function unary(
  method: DescMethod,
  implemented: Unary,
  running: Running,
  onCall: OnCall,
): handleUnaryCall<Bytes, Bytes> {
  const answer = async (...[call, reply]: Parameters<handleUnaryCall<Bytes, Bytes>>): Promise<void> => {
    running.begin();
    const ended = measureCall(method, onCall);
    try {
      const response = await implemented(read(method, call.request), new CallContext(method, call));
      reply(null, write(method, response));
      ended();
    } catch (cause) {
      reply(grpcStatus(cause));
      ended({ cause });
    } finally {
      running.end();
    }
  };
  return (call, reply) => void answer(call, reply);
}

function clientStreaming(
  method: DescMethod,
  implemented: ClientStreaming,
  running: Running,
  onCall: OnCall,
): handleClientStreamingCall<Bytes, Bytes> {
  const answer = async (...[call, reply]: Parameters<handleClientStreamingCall<Bytes, Bytes>>): Promise<void> => {
    running.begin();
    const ended = measureCall(method, onCall);
    try {
      const response = await implemented(requests(method, call), new CallContext(method, call));
      reply(null, write(method, response));
      ended();
    } catch (cause) {
      reply(grpcStatus(cause));
      ended({ cause });
    } finally {
      running.end();
    }
  };
  return (call, reply) => void answer(call, reply);
}

/** Writes a stream of responses as fast as the caller reads them. Stops when the caller hangs up. */
async function send(
  method: DescMethod,
  call: ServerWritableStream<Bytes, Bytes> | ServerDuplexStream<Bytes, Bytes>,
  onCall: OnCall,
  responses: () => AsyncIterable<Response>,
) {
  const ended = measureCall(method, onCall);
  try {
    const left = new AbortController();
    call.on("cancelled", () => left.abort(LEFT));
    for await (const response of responses()) {
      if (!call.write(write(method, response))) await once(call, "drain", { signal: left.signal });
    }
    call.end();
    ended();
  } catch (cause) {
    ended({ cause: call.cancelled ? new ConnectError("the caller hung up", Code.Canceled) : cause });
    if (!call.cancelled) call.emit("error", grpcStatus(cause));
  }
}

async function* requests(
  method: DescMethod,
  call: ServerDuplexStream<Bytes, Bytes> | ServerReadableStream<Bytes, Bytes>,
): AsyncGenerator<Request> {
  // The call must stay open after the last request, because responses must still be written.
  for await (const bytes of call.iterator({ destroyOnReturn: false })) yield read(method, bytes);
}

function read(method: DescMethod, bytes: Bytes): Request {
  try {
    return fromBinary(method.input, bytes);
  } catch {
    throw new ConnectError(`the request is no ${method.input.typeName}`, Code.InvalidArgument);
  }
}

const write = (method: DescMethod, response: Response): Bytes =>
  toBinary(method.output, create(method.output, response));

/** A Buffer over the same bytes, which grpc-js needs. */
const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
