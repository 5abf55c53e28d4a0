import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { Exchange } from "./exchange.ts";
import { REPLY_BYTES_MAX } from "./reply.ts";

/** Opens sockets to wallets: HTTP/1.1 only, TLS verified, addresses vetted by its look-up. */
export type Connector = ReturnType<typeof buildConnector>;

/** An idle socket is closed after this, whatever longer time the server offers. */
const IDLE_MS = 4_000;
/**
 * The most that is read from the socket for one reply. What is no body has no end of its own (interim replies, chunk extensions, empty
 * lines), and a wallet that sends it without end would keep a processor busy until the deadline.
 */
const WIRE_BYTES_MAX = 16 * REPLY_BYTES_MAX;

/**
 * One keep-alive connection, for one call at a time: undici's Client, which reconnects by itself before a request was
 * written and never sends one twice.
 */
export class Connection {
  readonly #client: Client;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** What the socket had read before this exchange. */
  #readBefore = 0;

  /** @param onDisconnect - the socket was closed, by whomever; the connection may still be used, and would then reconnect. */
  constructor(origin: string, connector: Connector, onDisconnect: (connection: Connection) => void) {
    this.#client = new Client(origin, {
      connect: (options, done) => {
        // undici's connector returns its socket, which its type leaves out; without it a socket that is still connecting can't be destroyed.
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
      // The call's own deadline stands for these two; bodyTimeout would restart at every chunk.
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

  /** Ends the connection at once, connecting or not. A request on it fails; one that wasn't written yet never will be. */
  destroy(): void {
    this.#client.destroy(null, () => undefined);
    this.#socket?.destroy();
  }
}
