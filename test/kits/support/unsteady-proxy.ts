/** A proxy in front of the service, for what a client has to live through. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `cut`: the connection is closed without an answer. `hold`: there is no answer for ever. */
export type Fate = "pass" | "cut" | "hold" | 429 | 503;

interface Passing {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly nonce: string;
  readonly target: string;
  readonly fate: Fate;
}

/**
 * Ends with the test. A 429 or 503 asks for a pause of one second.
 *
 * @param fate - of each call, counted from 0.
 */
export async function startProxy(t: { teardown(end: () => void): void }, origin: string, fate: (call: number) => Fate) {
  const calls: Passing[] = [];
  let onHeld = (): void => {};
  const held = new Promise<void>((resolve) => {
    onHeld = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    const its = fate(calls.length);
    const { url: target = "", headers } = incoming;
    calls.push({ at: performance.now(), nonce: String(headers["x-nonce"]), target, fate: its });
    if (its === "hold") onHeld();
    else if (its === "cut") incoming.socket.destroy();
    else if (its === "pass") forward(origin, incoming, outgoing);
    else refuse(outgoing, its);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, held };
}

function forward(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const onward = request(`${origin}${url}`, { method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
  });
  onward.once("error", () => incoming.socket.destroy());
  incoming.pipe(onward);
}

function refuse(outgoing: ServerResponse, status: 429 | 503): void {
  const code = status === 429 ? "RATE_LIMITED" : "SERVICE_UNAVAILABLE";
  const request_id = "00000000-0000-4000-8000-000000000000";
  const error = { code, message: "Tente outra vez.", request_id };
  outgoing
    .writeHead(status, { "content-type": "application/json", "retry-after": "1" })
    .end(JSON.stringify({ success: false, message: error.message, statusCode: status, error }));
}
