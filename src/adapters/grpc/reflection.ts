import { type DescFile, type DescService, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ServiceImpl } from "@connectrpc/connect";
import type { ServerReflection, ServerReflectionRequest, ServerReflectionResponseSchema } from "../../gen/grpc/reflection/v1/reflection_pb.ts";

type Response = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

const notFound: Response = { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage: "not found" } };

/** grpc.reflection.v1.ServerReflection over generated code: which services there are, and the files that describe them. */
export class Reflection implements ServiceImpl<typeof ServerReflection> {
  readonly #services: readonly DescService[];
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();

  constructor(services: readonly DescService[]) {
    this.#services = services;
    for (const service of services) this.#add(service.file);
  }

  async *serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>): AsyncGenerator<MessageInitShape<typeof ServerReflectionResponseSchema>> {
    for await (const request of requests) {
      yield { validHost: request.host, originalRequest: request, messageResponse: this.#answer(request.messageRequest) };
    }
  }

  #answer(request: ServerReflectionRequest["messageRequest"]): Response {
    switch (request.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: this.#services.map((service) => ({ name: service.typeName })) } };
      case "fileByFilename":
        return describe(this.#files.get(request.value));
      case "fileContainingSymbol":
        return describe(this.#symbols.get(request.value));
      default:
        // Extensions: these protos have none.
        return notFound;
    }
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) return;
    this.#files.set(file.proto.name, file);
    for (const type of nestedTypes(file)) {
      this.#symbols.set(type.typeName, file);
      if (type.kind === "service") for (const method of type.methods) this.#symbols.set(`${type.typeName}.${method.name}`, file);
    }
    for (const dependency of file.dependencies) this.#add(dependency);
  }
}

/** The file alone; clients ask for its imports by name. */
function describe(file: DescFile | undefined): Response {
  if (file === undefined) return notFound;
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: [toBinary(FileDescriptorProtoSchema, file.proto)] } };
}
