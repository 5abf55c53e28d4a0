import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limitPieces } from "./pieces.ts";
import { hasBody } from "./raw-body.ts";

/** The maximum of waiting requests of one connection. A connection that sends more is closed. */
export const WAITING_MAX = 100;

/**
 * The maximum of waiting requests of all connections of a listener, because each needs some 5 kB. Above it, a connection
 * may have only one waiting request.
 */
const WAITING_ALL_MAX = 2_000;

/**
 * Wraps a listener so that it gets the requests of a connection one after the other. Node calls a listener for every
 * request that it has read. So if a caller pipelines thousands of requests and reads no answer, this process would have
 * to keep thousands of answers. Here a pipelined request waits until the answer to the request before it has been
 * written. Meanwhile nothing more is read from the connection.
 *
 * A request that is not pipelined goes to the listener at once. A connection whose body comes in too many pieces is
 * closed, also while its request waits.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new Waiting();
  return (request, response) => {
    if (hasBody(request)) limitPieces(request, () => cutOff(request));
    // Node gives a response its socket as soon as the response before it has been written.
    if (response.socket !== null) listener(request, response);
    else if (!request.socket.destroyed) waiting.wait(request, response, listener);
  };
}

/** The place of the function that Node's parser calls with each piece of a body. */
const ON_BODY = 3;

type Parser = { [ON_BODY]: ((piece: Buffer) => void) | undefined };

/**
 * Closes a connection in the middle of the bytes that Node has just read. These may be ten thousand more pieces. Node's
 * parser cannot be stopped inside these bytes, but without this function it makes no object of a piece. Node uses the
 * parser again for another connection, so the function is put back when the connection has closed.
 */
function cutOff(request: IncomingMessage): void {
  const { socket } = request;
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const onBody = parser?.[ON_BODY];
  // Node does not document its parser, so nothing is changed if it is not as it is known.
  if (parser && onBody?.name === "parserOnBody") {
    parser[ON_BODY] = undefined;
    socket.once("close", () => {
      parser[ON_BODY] = onBody;
    });
  }
  request.destroy();
}

/** The waiting requests of a listener. */
class Waiting {
  /** The number of waiting requests of each connection. A connection that never pipelines requests has no entry. */
  readonly #of = new WeakMap<Socket, number>();
  #all = 0;

  wait(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const { socket } = request;
    const before = this.#of.get(socket);
    // Node reads up to 64 KiB at once, and passes every request in these bytes. So it is not enough to stop reading.
    if (before !== undefined && (before >= WAITING_MAX || (before > 0 && this.#all >= WAITING_ALL_MAX))) {
      socket.destroy();
      return;
    }
    if (before === undefined) socket.once("close", () => this.#add(socket, -(this.#of.get(socket) ?? 0)));
    this.#add(socket, 1);
    // The socket is paused one tick later, because Node starts to read again at the end of each request that it has just
    // read.
    if (!before) process.nextTick(() => this.#isWaitedOn(socket) && socket.pause());
    response.once("socket", () => {
      this.#add(socket, -1);
      if (!this.#isWaitedOn(socket)) socket.resume();
      listener(request, response);
    });
  }

  #add(socket: Socket, more: number): void {
    this.#of.set(socket, (this.#of.get(socket) ?? 0) + more);
    this.#all += more;
  }

  #isWaitedOn(socket: Socket): boolean {
    return (this.#of.get(socket) ?? 0) > 0;
  }
}
