import type { Server, ServerOptions } from "node:http";

/** Limits on what a connection may cost before anybody is known. Node's own answer to a request without Host has no body. */
export const HTTP_LIMITS = {
  ...{ maxHeaderSize: 16_384, headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 },
  requireHostHeader: false,
} satisfies ServerOptions;

const CONNECTIONS_MAX = 10_000;
/** Without a byte either way for so long, a caller has stopped reading its reply. */
const SILENCE_MS = 70_000;

export function limitConnections(server: Server): void {
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = SILENCE_MS;
  // Node would leave out what is too many, a proxy's X-Forwarded-For at the end first of all.
  server.maxHeadersCount = 0;
}
