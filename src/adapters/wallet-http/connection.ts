import type { buildConnector } from "undici";
import type { Opening } from "../names/connect-first.ts";
import type { Exchange } from "./exchange.ts";
import { REPLY_BYTES_MAX } from "./reply.ts";

/** The HTTP clients that can call wallets. `own` is the folder `http1/`, `undici` the folder `undici/`. */
export type WalletClient = "own" | "undici";

/** Opens sockets to wallets: HTTP/1.1 only, with verified TLS and checked addresses. */
export type Connector = (options: buildConnector.Options, done: buildConnector.Callback) => Opening;

export interface WalletRequest {
  /** The path and query of the walletUrl. */
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** One keep-alive connection for one call at a time. It reconnects only before a request is written. */
export interface Connection {
  /** Sends a POST once. The exchange before it must have ended. */
  dispatch(request: WalletRequest, exchange: Exchange): void;
  /**
   * Closes the connection at once, even while it connects. Its request fails. If the request was not written yet, it
   * never will be.
   */
  destroy(): void;
}

/**
 * Makes a connection, which connects at its first request.
 *
 * @param onDisconnect - called when either side has closed the socket. The connection stays usable: its next call
 *   reconnects.
 */
export type MakeConnection = (
  origin: string,
  connector: Connector,
  onDisconnect: (connection: Connection) => void,
) => Connection;

/** An idle socket is closed after this time, even if the server offers a longer time. */
export const IDLE_MS = 4_000;
/**
 * The maximum of bytes that are read from the socket for one reply. The body has its own limit, but interim replies,
 * chunk extensions and empty lines have none. A wallet that sends them without end would keep a processor busy until
 * the deadline.
 */
export const WIRE_BYTES_MAX = 16 * REPLY_BYTES_MAX;
