import { type DescFile, type DescService, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { type Bucket, type Rate, takeToken } from "../../../domain/access/token-bucket.ts";
import { file_google_rpc_error_details } from "../../../gen/google/rpc/error_details_pb.ts";
import { file_google_rpc_status } from "../../../gen/google/rpc/status_pb.ts";
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { CONNECTION } from "./call-context.ts";
import { Quota } from "./limits/quota.ts";
import { bareRefusal } from "./refusal-error.ts";

/**
 * The maximum of open reflection streams of a connection. A reflection tool opens one stream, requests each service and
 * each file once, and ends the stream.
 */
const STREAMS_PER_CONNECTION = 4;
const STREAMS_MAX = 64;
/**
 * The most requests of one stream: several times the number of files and services. The answer to a request of 40 bytes
 * may have 5 kB.
 */
const REQUESTS_MAX = 256;
/** The rate for all callers together. A reflection tool sends a few dozen requests and then stops. */
const REQUESTS_RATE: Rate = { perSecond: 100, capacity: 1_024 };

type Response = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

const notFound: Response = { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage: "not found" } };

/**
 * Serves grpc.reflection.v1.ServerReflection. Its answers come from the generated code: the services, and the files
 * that describe the services and their errors.
 */
export class Reflection implements ServiceImpl<typeof ServerReflection> {
  readonly #services: readonly DescService[];
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  readonly #bytes = new Map<DescFile, Uint8Array>();
  #requests: Bucket | undefined;
  readonly #streams = new Quota<string>((open) => (open < STREAMS_MAX ? STREAMS_PER_CONNECTION : 0));

  constructor(services: readonly DescService[]) {
    this.#services = services;
    for (const service of services) this.#add(service.file);
    // `grpc-status-details-bin` of an error is a google.rpc.Status. This message contains only the names of the types
    // inside it, so their files are added too.
    for (const file of [file_google_rpc_status, file_google_rpc_error_details]) this.#add(file);
  }

  /**
   * Throws OVERLOADED for a stream above the limit of its connection or of all connections, and for a request above the
   * limit of its stream or of all callers.
   */
  async *serverReflectionInfo(
    requests: AsyncIterable<ServerReflectionRequest>,
    { values }: HandlerContext,
  ): AsyncGenerator<MessageInitShape<typeof ServerReflectionResponseSchema>> {
    const connection = values.get(CONNECTION);
    if (!this.#streams.enter(connection)) throw bareRefusal("OVERLOADED");
    try {
      let answered = 0;
      for await (const request of requests) {
        if (++answered > REQUESTS_MAX || !this.#mayAnswer()) throw bareRefusal("OVERLOADED");
        yield {
          validHost: request.host,
          originalRequest: request,
          messageResponse: this.#answer(request.messageRequest),
        };
      }
    } finally {
      this.#streams.leave(connection);
    }
  }

  #mayAnswer(): boolean {
    const { taken, bucket } = takeToken(this.#requests, REQUESTS_RATE, performance.now());
    this.#requests = bucket;
    return taken;
  }

  #answer(request: ServerReflectionRequest["messageRequest"]): Response {
    switch (request.case) {
      case "listServices":
        return {
          case: "listServicesResponse",
          value: { service: this.#services.map((service) => ({ name: service.typeName })) },
        };
      case "fileByFilename":
        return this.#describe(this.#files.get(request.value));
      case "fileContainingSymbol":
        return this.#describe(this.#symbols.get(request.value));
      default:
        // The request is for extensions, and these protos have no extensions.
        return notFound;
    }
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) return;
    this.#files.set(file.proto.name, file);
    for (const type of nestedTypes(file)) {
      this.#symbols.set(type.typeName, file);
      if (type.kind === "service")
        for (const method of type.methods) this.#symbols.set(`${type.typeName}.${method.name}`, file);
    }
    for (const dependency of file.dependencies) this.#add(dependency);
  }

  /**
   * Describes one file. Clients request the files that it imports by name. Each file is serialized only once, because
   * that is the largest part of a request's cost.
   */
  #describe(file: DescFile | undefined): Response {
    if (file === undefined) return notFound;
    const bytes = this.#bytes.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
    this.#bytes.set(file, bytes);
    return { case: "fileDescriptorResponse", value: { fileDescriptorProto: [bytes] } };
  }
}
