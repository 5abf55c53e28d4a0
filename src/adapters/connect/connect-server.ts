import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ConnectRouter, createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { IpRange } from "../../domain/access/ip-list.ts";
import { CONNECTION, CONSOLE_SESSION } from "../grpc/server/call-context.ts";
import { measuring, type OnCall } from "../grpc/server/on-call.ts";
import { inTurn } from "../http/in-turn.ts";
import { HTTP_LIMITS, limitConnections } from "../http/limits.ts";
import { discardBody } from "../http/raw-body.ts";
import { AllowedHosts } from "./allowed-hosts.ts";
import type { ConsoleSite } from "./console/console-site.ts";
import { sessionIn } from "./console/session-cookie.ts";
import { type Callers, MESSAGE_MAX_BYTES, RequestMessages } from "./request-messages.ts";

export interface ConnectServerOptions {
  readonly host: string;
  /** The port to listen on; 0: any free port. */
  readonly port: number;
  /** The names and addresses that callers may use besides `host` and the names of this machine. */
  readonly allowedHosts: readonly string[];
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  readonly console: ConsoleSite;
  /** How callers are recognised. By default the message of every caller is read. */
  readonly callers?: Callers;
  /** The addresses of trusted proxies. By default there are none. */
  readonly trustedProxies?: readonly IpRange[];
  /** A callback that measures the calls. */
  readonly onCall?: OnCall;
}

const SWEEP_MS = 50;
/** The longest time that a request may take to arrive. An import of games is one request with many messages. */
const REQUEST_MS = 60_000;

/**
 * Serves Connect and gRPC-Web over HTTP/1.1, the console, and GET /metrics for Prometheus. It is internal only: it has
 * no TLS, and /metrics needs no key.
 */
export class ConnectServer {
  readonly #server: Server;
  readonly #options: ConnectServerOptions;

  constructor(routes: (router: ConnectRouter) => void, options: ConnectServerOptions) {
    this.#options = options;
    const contextValues = (request: Pick<IncomingMessage, "socket" | "headers">) =>
      createContextValues()
        .set(CONNECTION, `${request.socket.remoteAddress}:${request.socket.remotePort}`)
        .set(CONSOLE_SESSION, sessionIn(request) ?? "");
    const rpc = connectNodeAdapter({
      routes,
      contextValues,
      grpc: false,
      readMaxBytes: MESSAGE_MAX_BYTES,
      interceptors: options.onCall === undefined ? [] : [measuring(options.onCall)],
      fallback: (_, response) => notFound(response),
    });
    const hosts = new AllowedHosts(options.host, options.allowedHosts);
    const listener = inTurn((request, response) => {
      const host = request.headersDistinct.host;
      if (hosts.allows(host) && options.console.answers(request, response)) return;
      if (hosts.allows(host) && request.url !== "/metrics" && !options.console.refuses(request, response))
        return void messages.read(request, response, () => rpc(request, response));
      discardBody(request);
      if (!hosts.allows(host)) refuseHost(response, host);
      else if (request.url === "/metrics") void this.#metrics(request, response);
    });
    this.#server = createServer({ ...HTTP_LIMITS, requestTimeout: REQUEST_MS }, listener);
    const shares = limitConnections(this.#server, options.trustedProxies ?? []);
    const messages = new RequestMessages(options.callers, (request) => shares.recognize(request.socket));
  }

  /**
   * Starts to listen, and resolves to the port. Rejects if the server cannot listen, for example because the port is in
   * use.
   */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, this.#options.host, () =>
        resolve((this.#server.address() as AddressInfo).port),
      );
    });
  }

  /**
   * Refuses new connections, and waits until every request is answered. After `withinMs` it closes the connections that
   * are still open.
   */
  stop(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#server.closeAllConnections(), withinMs);
      // A keep-alive connection stays open after its last answer, so idle connections are closed here.
      const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP_MS);
      this.#server.close(() => {
        clearTimeout(late);
        clearInterval(sweep);
        resolve();
      });
    });
  }

  async #metrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    try {
      const text = await this.#options.metrics();
      response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  }
}

/** Answers with an error in Connect's format, so that Connect clients show the message. */
function refuseHost(response: ServerResponse, lines: readonly string[] = []): void {
  const seen =
    lines.length === 1
      ? `The Host "${lines[0]?.slice(0, 255)}" is not allowed here`
      : `One Host is needed, and this request has ${lines.length}`;
  const message = `${seen}. INTERNAL_ALLOWED_HOSTS names the hosts by which this port may be called, beside INTERNAL_HOST and localhost.`;
  response.writeHead(421, {
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  response.end(JSON.stringify({ code: "permission_denied", message }));
}

const notFound = (response: { writeHead(status: number): unknown; end(): unknown }): void => {
  response.writeHead(404);
  response.end();
};
