import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The most requests of one connection that may wait. A connection that sends more is cut. */
export const WAITING_MAX = 100;

/** The number of requests that wait on each connection. Connections that never pipeline are not in it. */
const waiting = new WeakMap<Socket, number>();

/**
 * Wraps a listener so that it gets the requests of a connection one after the other. Node calls a listener for every
 * request that it has read. A caller that pipelines thousands of requests and reads no answer would so make this
 * process hold thousands of answers. Here a pipelined request waits until the answer before it is written, and nothing
 * more is read from the connection meanwhile.
 *
 * A request that is not pipelined goes straight to the listener.
 */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives a response its socket as soon as the response before it is written.
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
  // The pause comes a tick later, because Node starts to read again at the end of each request that it has just read.
  if (before === 0) process.nextTick(() => isWaitedOn(socket) && socket.pause());
  response.once("socket", () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    if (!isWaitedOn(socket)) socket.resume();
    listener(request, response);
  });
}

const isWaitedOn = (socket: Socket): boolean => (waiting.get(socket) ?? 0) > 0;
