import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The maximum of waiting requests of one connection. A connection that sends more is closed. */
export const WAITING_MAX = 100;

/** The number of waiting requests of each connection. A connection that never pipelines requests has no entry. */
const waiting = new WeakMap<Socket, number>();

/**
 * Wraps a listener so that it gets the requests of a connection one after the other. Node calls a listener for every
 * request that it has read. So if a caller pipelines thousands of requests and reads no answer, this process would have
 * to keep thousands of answers. Here a pipelined request waits until the answer to the request before it has been
 * written. Meanwhile nothing more is read from the connection.
 *
 * A request that is not pipelined goes to the listener at once.
 */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives a response its socket as soon as the response before it has been written.
    if (response.socket !== null) listener(request, response);
    else if (!request.socket.destroyed) wait(request, response, listener);
  };
}

function wait(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
  const { socket } = request;
  const before = waiting.get(socket) ?? 0;
  // Node reads up to 64 KiB at once, and passes every request in these bytes. So it is not enough to stop reading.
  if (before >= WAITING_MAX) {
    socket.destroy();
    return;
  }
  waiting.set(socket, before + 1);
  // The socket is paused one tick later, because Node starts to read again at the end of each request that it has just
  // read.
  if (before === 0) process.nextTick(() => isWaitedOn(socket) && socket.pause());
  response.once("socket", () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    if (!isWaitedOn(socket)) socket.resume();
    listener(request, response);
  });
}

const isWaitedOn = (socket: Socket): boolean => (waiting.get(socket) ?? 0) > 0;
