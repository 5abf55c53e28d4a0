import { channel } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Opening } from "../../names/connect-first.ts";
import { type Connection, type Connector, IDLE_MS, type WalletRequest, WIRE_BYTES_MAX } from "../connection.ts";
import type { Exchange } from "../exchange.ts";
import { BrokenReply, ReplyReader, type ReplySink } from "./reply-reader.ts";
import { postBytes } from "./request.ts";

/** Published with the {@link WalletRequest}: its last byte was given to the socket; the head of a reply was read. */
export const REQUEST_SENT = channel("game-aggregator:wallet-request:sent");
export const REPLY_BEGUN = channel("game-aggregator:wallet-request:reply");

/** The server may close an idle connection so long before its time is over. */
const MARGIN_MS = 2_000;

/** A request, and what is done with it. */
interface Call {
  readonly request: WalletRequest;
  readonly exchange: Exchange;
  written: boolean;
}

/** An HTTP/1.1 connection on a socket. It sends one POST at a time, and reads its reply by {@link ReplyReader}. */
export class SocketConnection implements Connection, ReplySink {
  readonly #url: URL;
  readonly #connector: Connector;
  readonly #onDisconnect: (connection: Connection) => void;
  readonly #reader = new ReplyReader();
  #opening: Opening | undefined;
  #socket: Socket | undefined;
  #call: Call | undefined;
  #destroyed = false;
  /** The number of bytes that were read since the request was written. */
  #read = 0;
  #idleMs = IDLE_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(origin: string, connector: Connector, onDisconnect: (connection: Connection) => void) {
    this.#url = new URL(origin);
    this.#connector = connector;
    this.#onDisconnect = onDisconnect;
  }

  dispatch(request: WalletRequest, exchange: Exchange): void {
    const call = { request, exchange, written: false };
    this.#call = call;
    if (this.#socket === undefined) this.#connect();
    // Bytes or a close that the system has reported already are read before the request is written.
    else setImmediate(this.#writeLater, call);
  }

  destroy(): void {
    this.#destroyed = true;
    const call = this.#call;
    this.#call = undefined;
    this.#drop();
    this.#opening?.destroy();
    call?.exchange.broken(new Error("the service closed the connection"));
  }

  head(status: number, coding: string | undefined): void {
    const call = this.#call;
    if (call === undefined) return;
    if (REPLY_BEGUN.hasSubscribers) REPLY_BEGUN.publish(call.request);
    call.exchange.head(status, coding);
  }

  data(piece: Buffer): void {
    this.#call?.exchange.data(piece);
  }

  #connect(): void {
    const { protocol, host, port } = this.#url;
    // In a URL an IPv6 address has brackets.
    const hostname = this.#url.hostname.replace(/^\[(.*)\]$/, "$1");
    this.#opening = this.#connector({ protocol, hostname, host, port }, (...[error, socket]) => {
      if (this.#destroyed) socket?.destroy();
      else if (error !== null) this.#fail(error);
      else this.#opened(socket);
    });
  }

  #opened(socket: Socket): void {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#received(socket, bytes));
    socket.on("end", () => this.#ended(socket));
    const lost = (error: Error): void => {
      if (socket === this.#socket) this.#lost(error);
    };
    // The event "close" comes a turn of the loop after "error". A request must not be written between them.
    socket.on("error", lost);
    socket.on("close", () => lost(new Error("the wallet closed the connection")));
    if (this.#call !== undefined) this.#write(this.#call);
  }

  readonly #writeLater = (call: Call): void => {
    // Without a socket it was lost in the meantime, and a new connection writes the request.
    if (call === this.#call && !call.written && this.#socket !== undefined) this.#write(call);
  };

  #write(call: Call): void {
    if (!call.exchange.start()) return;
    call.written = true;
    this.#read = 0;
    this.#reader.reset();
    let bytes: Buffer;
    try {
      bytes = postBytes(this.#url.host, call.request);
    } catch (cause) {
      return this.#fail(cause as Error);
    }
    this.#socket?.write(bytes);
    if (REQUEST_SENT.hasSubscribers) REQUEST_SENT.publish(call.request);
  }

  #received(socket: Socket, bytes: Buffer): void {
    if (socket !== this.#socket) return;
    const call = this.#call;
    // The bytes belong to no request. A request that is not written yet goes over a new connection.
    if (call === undefined || !call.written) return this.#lost(new Error("bytes that belong to no request"));
    this.#read += bytes.length;
    if (this.#read > WIRE_BYTES_MAX) return call.exchange.fail("too_large");
    let end: number;
    try {
      end = this.#reader.read(bytes, this);
    } catch (cause) {
      if (!(cause instanceof BrokenReply)) throw cause;
      return cause.fault === "connect" ? this.#fail(cause) : call.exchange.fail(cause.fault);
    }
    if (end >= 0 && call === this.#call) this.#complete(call, end === bytes.length && this.#reader.persistent);
  }

  /** The wallet has closed its side. */
  #ended(socket: Socket): void {
    if (socket !== this.#socket) return;
    const call = this.#call;
    if (call?.written === true && this.#reader.finish()) this.#complete(call, false);
    else this.#lost(new Error("the wallet closed the connection"));
  }

  #complete({ exchange }: Call, isPersistent: boolean): void {
    this.#call = undefined;
    const idleMs = Math.min(IDLE_MS, (this.#reader.idleMs ?? Number.POSITIVE_INFINITY) - MARGIN_MS);
    if (isPersistent && idleMs > 0) this.#closeAfter(idleMs);
    else this.#drop();
    exchange.end();
    if (this.#socket === undefined && this.#call === undefined) this.#onDisconnect(this);
  }

  /** Starts the time of an idle connection. */
  #closeAfter(ms: number): void {
    if (this.#timer !== undefined && this.#idleMs === ms) return void this.#timer.refresh();
    clearTimeout(this.#timer);
    this.#idleMs = ms;
    this.#timer = setTimeout(() => {
      if (this.#call === undefined && this.#socket !== undefined) this.#lost(new Error("idle"));
    }, ms).unref();
  }

  /** The socket can no longer be used. A request that was written gets no reply. One that was not is written anew. */
  #lost(error: NodeJS.ErrnoException): void {
    this.#drop();
    if (this.#call === undefined) this.#onDisconnect(this);
    else if (this.#call.written) this.#fail(error);
    else this.#connect();
  }

  /** Ends the request without a reply. The owner of this connection then destroys it. */
  #fail(error: NodeJS.ErrnoException): void {
    const call = this.#call;
    this.#call = undefined;
    call?.exchange.broken(error);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}
