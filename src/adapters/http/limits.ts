import type { Server, ServerOptions } from "node:http";
import type { IpRange } from "../../domain/access/ip-list.ts";
import { type ConnectionShares, shareConnections } from "./connection-shares.ts";

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

/** @param proxies - the addresses of trusted proxies. */
export function limitConnections(server: Server, proxies: readonly IpRange[]): ConnectionShares {
  server.timeout = SILENCE_MS;
  // With a limit, Node would drop the last headers without an error. The last header may be a proxy's X-Forwarded-For.
  server.maxHeadersCount = 0;
  return shareConnections(server, CONNECTIONS_MAX, proxies);
}
