/** A proxy in front of the service. It causes faults for the service's clients. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `cut`: the proxy closes the connection without an answer. `hold`: the proxy never answers. */
export type ProxyAction = "pass" | "cut" | "hold" | 429 | 503;

interface ProxiedCall {
  /** The time of the call in milliseconds, from `performance.now()`. */
  readonly at: number;
  readonly nonce: string;
  readonly target: string;
  readonly action: ProxyAction;
}

/**
 * Starts the proxy. It ends with the test. An answer with 429 or 503 requests a pause of one second (Retry-After).
 *
 * @param actionOf - the action for each call, counted from 0.
 */
export async function startProxy(
  t: { teardown(end: () => void): void },
  origin: string,
  actionOf: (call: number) => ProxyAction,
) {
  const calls: ProxiedCall[] = [];
  let onHeld = (): void => {};
  const held = new Promise<void>((resolve) => {
    onHeld = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    const action = actionOf(calls.length);
    const { url: target = "", headers } = incoming;
    calls.push({ at: performance.now(), nonce: String(headers["x-nonce"]), target, action });
    if (action === "hold") onHeld();
    else if (action === "cut") incoming.socket.destroy();
    else if (action === "pass") forward(origin, incoming, outgoing);
    else refuse(outgoing, action);
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
