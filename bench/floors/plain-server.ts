/** The base of every gRPC floor: a grpc-js server that has only PlaceBet. It sends its port over IPC. */
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import {
  type PlaceBetRequest,
  PlaceBetRequestSchema,
  PlaceBetResponseSchema,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";

export interface FloorReady {
  readonly kind: "ready";
  readonly port: number;
}

const definition = {
  placeBet: {
    path: "/aggregator.provider.v1.WalletService/PlaceBet",
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => fromBinary(PlaceBetRequestSchema, bytes),
    requestSerialize: () => unused(),
    responseDeserialize: () => unused(),
    responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  },
} as const;

const unused = (): never => {
  throw new Error("a server only reads requests and writes responses");
};

export function serve(
  placeBet: (request: PlaceBetRequest) => Promise<MessageInitShape<typeof PlaceBetResponseSchema>>,
): void {
  const handler: handleUnaryCall<PlaceBetRequest, Uint8Array> = (call, reply) => {
    placeBet(call.request).then(
      (response) => reply(null, toBinary(PlaceBetResponseSchema, create(PlaceBetResponseSchema, response))),
      (error: Error) => reply(error),
    );
  };
  const server = new Server({ "grpc.max_concurrent_streams": 1_024, "grpc.enable_channelz": 0 });
  server.addService(definition, { placeBet: handler });
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    process.send?.({ kind: "ready", port } satisfies FloorReady);
  });
  process.once("SIGTERM", () => process.exit(0));
}
