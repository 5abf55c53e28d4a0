import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type CallOptions,
  type ChannelCredentials,
  Client,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
} from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";

interface CallSettings extends CallOptions {
  /** Sends `authorization: Bearer` with each of these keys. Without keys there is no such header. */
  readonly keys?: readonly string[];
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes to send instead of the message. */
  readonly raw?: Uint8Array;
}

/** A caller that uses only grpc-js, as a provider does. */
export class GrpcCaller {
  readonly #client: Client;

  /** The connection is open until the test ends. */
  constructor(
    t: { teardown(end: () => void): void },
    port: number,
    security: ChannelCredentials = credentials.createInsecure(),
  ) {
    this.#client = new Client(`localhost:${port}`, security);
    t.teardown(() => this.#client.close());
  }

  /** Rejects with grpc-js's ServiceError. */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    settings: CallSettings = {},
  ): Promise<MessageShape<O>> {
    return this.start(method, request, settings).response;
  }

  start<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { keys = [], headers = {}, raw, ...options }: CallSettings = {},
  ) {
    const metadata = new Metadata();
    for (const key of keys) metadata.add("authorization", `Bearer ${key}`);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const { promise: response, resolve, reject } = Promise.withResolvers<MessageShape<O>>();
    const call: ClientUnaryCall = this.#client.makeUnaryRequest(
      `/${method.parent.typeName}/${method.name}`,
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Uint8Array) => fromBinary(method.output, bytes),
      raw ?? toBinary(method.input, create(method.input, request)),
      metadata,
      options,
      (error: ServiceError | null, message?: MessageShape<O>) =>
        message === undefined ? reject(error) : resolve(message),
    );
    return { response, cancel: () => call.cancel() };
  }

  /** The call's error, as a client reads it. */
  async failure<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    settings: CallSettings = {},
  ) {
    const error = await this.call(method, request, settings).then(
      () => {
        throw new Error("the call succeeded");
      },
      (cause: ServiceError) => cause,
    );
    const [bytes] = error.metadata.get("grpc-status-details-bin");
    const status = bytes === undefined ? undefined : fromBinary(StatusSchema, bytes as Buffer);
    let info: ErrorInfo | undefined;
    let badRequest: BadRequest | undefined;
    for (const { typeUrl, value } of status?.details ?? []) {
      if (typeUrl === "type.googleapis.com/google.rpc.ErrorInfo") info = fromBinary(ErrorInfoSchema, value);
      if (typeUrl === "type.googleapis.com/google.rpc.BadRequest") badRequest = fromBinary(BadRequestSchema, value);
    }
    return {
      code: error.code,
      message: error.details,
      trailer: error.metadata.get("error-code")[0],
      status,
      info,
      badRequest,
    };
  }
}
