import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import {
  GameService,
  type OpenGameRequest,
  OpenGameRequestSchema,
  OpenGameResponseSchema,
} from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";

/** A provider's game server: it opens every game and adds each request to `opened`. */
export async function startGameService(opened: OpenGameRequest[]): Promise<{ port: number; close(): void }> {
  const server = new Server();
  const { openGame } = GameService.method;
  const definition = {
    openGame: {
      path: `/${GameService.typeName}/${openGame.name}`,
      requestStream: false,
      responseStream: false,
      requestDeserialize: (bytes: Buffer) => fromBinary(OpenGameRequestSchema, bytes),
      requestSerialize: (request: OpenGameRequest) => Buffer.from(toBinary(OpenGameRequestSchema, request)),
      responseDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (launchUrl: string) =>
        Buffer.from(toBinary(OpenGameResponseSchema, create(OpenGameResponseSchema, { launchUrl }))),
    },
  };
  server.addService(definition as never, {
    openGame: (call: { request: OpenGameRequest }, reply: (error: null, launchUrl: string) => void) => {
      opened.push(call.request);
      reply(null, `https://games.example/${call.request.gameCode}?s=${call.request.sessionId}`);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, close: () => server.forceShutdown() };
}
