import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { Opening } from "../names/connect-first.ts";
import type { Exchange } from "./exchange.ts";
import { InterimReplies } from "./interim-replies.ts";
import { REPLY_BYTES_MAX } from "./reply.ts";

/** Opens sockets to wallets: HTTP/1.1 only, with verified TLS and checked addresses. */
export type Connector = (options: buildConnector.Options, done: buildConnector.Callback) => Opening;

/** An idle socket is closed after this time, even if the server offers a longer time. */
const IDLE_MS = 4_000;
/**
 * The maximum of bytes that are read from the socket for one reply. The body has its own limit, but interim replies,
 * chunk extensions and empty lines have none. A wallet that sends them without end would keep a processor busy until
 * the deadline.
 */
const WIRE_BYTES_MAX = 16 * REPLY_BYTES_MAX;

/**
 * One keep-alive connection for one call at a time. undici's Client reconnects by itself before a request is written,
 * and never sends a request twice.
 */
export class Connection {
  readonly #client: Client;
  #opening: Opening | undefined;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** The number of bytes that the socket had read before this request. */
  #readBefore = 0;
  readonly #interim = new InterimReplies();

  /**
   * @param onDisconnect - called when either side has closed the socket. The connection stays usable: its next call
   *   reconnects.
   */
  constructor(origin: string, connector: Connector, onDisconnect: (connection: Connection) => void) {
    this.#client = new Client(origin, {
      connect: (options, done) => {
        this.#opening = connector(options, (...[error, socket]) => {
          if (error !== null) return done(error, null);
          this.#opened(socket);
          done(null, socket);
        });
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The call's own deadline replaces these two time-outs. bodyTimeout would start again at every chunk.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on("disconnect", () => onDisconnect(this));
  }

  dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#readBefore = this.#socket?.bytesRead ?? 0;
    this.#interim.expect();
    this.#client.dispatch(request, exchange);
  }

  #opened(socket: Socket): void {
    this.#socket = socket;
    this.#readBefore = 0;
    socket.on("readable", () => {
      if (socket.bytesRead - this.#readBefore > WIRE_BYTES_MAX) this.#exchange?.fail("too_large");
    });
    // undici reads from the socket with `read()` only.
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const bytes = read(size) as Buffer | null;
      if (bytes !== null) this.#interim.read(bytes);
      return bytes;
    };
  }

  /**
   * Closes the connection at once, even while it connects. Its request fails. If the request was not written yet, it
   * never will be.
   */
  destroy(): void {
    this.#client.destroy(null, () => undefined);
    this.#opening?.destroy();
    this.#socket?.destroy();
  }
}
