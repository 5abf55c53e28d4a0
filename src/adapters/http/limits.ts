import type { Server, ServerOptions } from "node:http";

/** The limits of a connection whose caller is not known yet. Sizes are in bytes, times in ms. */
export const HTTP_LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  // The server checks Host itself, because Node's own answer to a request without Host has no body.
  requireHostHeader: false,
} satisfies ServerOptions;

const CONNECTIONS_MAX = 10_000;
/** A connection is closed when no byte was sent or received for this time: its caller has stopped reading. */
const SILENCE_MS = 70_000;

export function limitConnections(server: Server): void {
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = SILENCE_MS;
  // With a limit, Node would drop the last headers without an error. The last header may be a proxy's X-Forwarded-For.
  server.maxHeadersCount = 0;
}
