/** The provider's own service: the aggregator asks it to open games. */
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
 * Answers the URL at which to show the game, within 5 s; undefined: there is no such game. Keep the session: later calls
 * name it. Do not call the wallet here.
 */
export type OpenGame = (request: OpenGameRequest) => string | undefined | Promise<string | undefined>;

/**
 * A server that opens games by gRPC; the caller makes it listen. With `tls` (key and cert) it speaks TLS. Let only the
 * aggregator's addresses reach it.
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
