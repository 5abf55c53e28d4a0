import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** So many requests of one connection may wait for their turn. A connection that sends more is cut. */
export const WAITING_MAX = 100;

/** How many requests wait on each connection. Connections that never pipeline are not in it. */
const waiting = new WeakMap<Socket, number>();

/**
 * The listener, called for one request of a connection at a time. Node calls it for every request that it has read, so a caller that
 * pipelines thousands and reads no answer would hold thousands of answers. Here a pipelined request waits until the answer before it is
 * written, and nothing more is read from the connection while one waits.
 *
 * A request that comes alone, as on any usual connection, goes straight to the listener.
 */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives a response its socket as soon as the one before is written.
    if (response.socket !== null) listener(request, response);
    else if (!request.socket.destroyed) wait(request, response, listener);
  };
}

function wait(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
  const { socket } = request;
  const before = waiting.get(socket) ?? 0;
  // Node reads up to 64 KiB at once and hands over every request in it, so stopping to read is not enough.
  if (before >= WAITING_MAX) {
    socket.destroy();
    return;
  }
  waiting.set(socket, before + 1);
  // Later: Node begins to read again at the end of each request that it reads now.
  if (before === 0) process.nextTick(() => isWaitedOn(socket) && socket.pause());
  response.once("socket", () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    if (!isWaitedOn(socket)) socket.resume();
    listener(request, response);
  });
}

const isWaitedOn = (socket: Socket): boolean => (waiting.get(socket) ?? 0) > 0;
