/** The provider's own service. The aggregator calls it to open games. */
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type SecureServerOptions,
} from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { GameService, type OpenGameRequest } from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";

/**
 * Returns the URL of the game within 5 s; undefined: the game does not exist. Store the session id, because later calls
 * need it. Do not call the wallet in this function.
 */
export type OpenGame = (request: OpenGameRequest) => string | undefined | Promise<string | undefined>;

/**
 * A server that opens games by gRPC. Call `listen` on it. With `tls` (key and cert) it uses TLS. Allow connections
 * only from the aggregator's addresses.
 */
export function gameServer(openGame: OpenGame, tls?: SecureServerOptions): Http2Server | Http2SecureServer {
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(GameService, {
        async openGame(request) {
          const launchUrl = await openGame(request);
          if (launchUrl === undefined) throw new ConnectError("no such game", Code.NotFound);
          return { launchUrl };
        },
      }),
  });
  return tls === undefined ? createServer(handler) : createSecureServer(tls, handler);
}
