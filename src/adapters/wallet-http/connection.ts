import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { Exchange } from "./exchange.ts";
import { REPLY_BYTES_MAX } from "./reply.ts";

/** Opens sockets to wallets: HTTP/1.1 only, with verified TLS and checked addresses. */
export type Connector = ReturnType<typeof buildConnector>;

/** An idle socket is closed after this time, even when the server offers a longer one. */
const IDLE_MS = 4_000;
/**
 * The most bytes that are read from the socket for one reply. The body has its own limit, but interim replies, chunk
 * extensions and empty lines do not: a wallet that sends them without end would keep a processor busy until the
 * deadline.
 */
const WIRE_BYTES_MAX = 16 * REPLY_BYTES_MAX;

/**
 * One keep-alive connection for one call at a time. undici's Client reconnects by itself before a request is written,
 * and never sends a request twice.
 */
export class Connection {
  readonly #client: Client;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** The number of bytes that the socket had read before this exchange. */
  #readBefore = 0;

  /**
   * @param onDisconnect - is called when either side has closed the socket. The connection stays usable: its next call
   *   reconnects.
   */
  constructor(origin: string, connector: Connector, onDisconnect: (connection: Connection) => void) {
    this.#client = new Client(origin, {
      connect: (options, done) => {
        // undici's connector returns its socket, but its type does not say so. Only with it can a connecting socket be
        // destroyed.
        const socket = connector(options, done) as unknown as Socket;
        this.#socket = socket;
        this.#readBefore = 0;
        socket.on("readable", () => {
          if (socket.bytesRead - this.#readBefore > WIRE_BYTES_MAX) this.#exchange?.fail("too_large");
        });
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The call's own deadline replaces these two. bodyTimeout would restart at every chunk.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on("disconnect", () => onDisconnect(this));
  }

  dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#readBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch(request, exchange);
  }

  /**
   * Closes the connection at once, even while it connects. Its request fails, and is never written if it was not
   * written yet.
   */
  destroy(): void {
    this.#client.destroy(null, () => undefined);
    this.#socket?.destroy();
  }
}
