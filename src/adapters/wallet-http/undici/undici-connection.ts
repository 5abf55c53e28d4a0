import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Opening } from "../../names/connect-first.ts";
import { type Connection, type Connector, IDLE_MS, type WalletRequest, WIRE_BYTES_MAX } from "../connection.ts";
import type { Exchange } from "../exchange.ts";
import { InterimReplies } from "./interim-replies.ts";

/** A connection of undici's Client, which reconnects by itself and never sends a request twice. */
export class UndiciConnection implements Connection {
  readonly #client: Client;
  #opening: Opening | undefined;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** The number of bytes that the socket had read before this request. */
  #readBefore = 0;
  readonly #interim = new InterimReplies();

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

  dispatch({ path, headers, body }: WalletRequest, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#readBefore = this.#socket?.bytesRead ?? 0;
    this.#interim.expect();
    this.#client.dispatch({ method: "POST", path, headers: [...headers], body }, new Handler(exchange));
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

  destroy(): void {
    this.#client.destroy(null, () => undefined);
    this.#opening?.destroy();
    this.#socket?.destroy();
  }
}

/** Reports to an exchange what undici reports. */
class Handler implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#exchange.start()) controller.abort(new Error("a wallet request is written once"));
  }

  /** undici also calls this for interim replies (1xx), before the final reply. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders = {}): void {
    this.#exchange.head(status, headers["content-encoding"]);
    // The request asked for no other protocol. After this reply the connection no longer speaks HTTP/1.1.
    if (status === 101) this.#exchange.fail("connect");
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#exchange.data(chunk);
  }

  onResponseEnd(): void {
    this.#exchange.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: NodeJS.ErrnoException): void {
    this.#exchange.broken(error);
  }
}
