import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { clientAddress, type IpRange } from "../../domain/access/ip-list.ts";
import { DEFAULT_LANGUAGE } from "../../domain/values/language.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { ConnectionShares } from "../http/connection-shares.ts";
import { inTurn } from "../http/in-turn.ts";
import { HTTP_LIMITS, limitConnections } from "../http/limits.ts";
import { discardBody, RawBodies } from "../http/raw-body.ts";
import {
  failureBody,
  identify,
  LANGUAGE_HEADERS,
  languageFor,
  REQUEST_ID_HEADER,
  requestIdOf,
  sendJson,
  sendReply,
} from "./replies/reply.ts";
import { sendStream } from "./replies/stream.ts";
import { readTarget } from "./requests/request-target.ts";
import type { SignedApi } from "./signed-api.ts";

export interface RestServerOptions {
  readonly host: string;
  /** The port to listen on; 0: any free port. */
  readonly port: number;
  /**
   * The path of PUBLIC_URL, without a trailing slash. A request's path may have it before `/v1`. Empty: PUBLIC_URL has
   * no path.
   */
  readonly pathPrefix: string;
  /** The proxies whose X-Forwarded-For is used. */
  readonly trustedProxies: readonly IpRange[];
  /** The reasons why this replica should get no requests now; empty: it is ready. */
  readonly notReady: () => readonly string[];
  /** What an operator should mend although requests are served; by default nothing. */
  readonly warnings?: () => readonly string[];
  /** Serves /openapi.json and /docs, which people at merchants read. */
  readonly pages: RequestHandler;
  /**
   * A callback that measures the requests. `route`: the path's pattern, `/health`, `pages`, or `none` if no route was
   * found.
   */
  readonly onRequest?: (method: string, route: string, status: number, seconds: number) => void;
}

const HEADERS_MAX = 100;

/**
 * The server of the operator API. It serves the signed `/v1`, and without a signature `/health`, `/openapi.json` and
 * `/docs`.
 */
export class RestServer {
  readonly #options: RestServerOptions;
  readonly #api: SignedApi;
  readonly #telemetry: Telemetry;
  readonly #server: Server;
  readonly #bodies = new RawBodies();
  readonly #shares: ConnectionShares;
  #draining = false;

  constructor(api: SignedApi, random: Random, telemetry: Telemetry, options: RestServerOptions) {
    this.#api = api;
    this.#telemetry = telemetry;
    this.#options = options;
    // An Express router can work with Node's own request and response, but its types allow this only in an app.
    const routes = this.#routes() as unknown as (
      request: IncomingMessage,
      response: ServerResponse,
      unanswered: (error?: unknown) => void,
    ) => void;
    const listener = inTurn((request, response) => {
      identify(response, random.uuid());
      this.#measure(request, response);
      if (this.#draining) response.setHeader("Connection", "close");
      if (request.rawHeaders.length > 2 * HEADERS_MAX) return refuseRequest(response, 431);
      // HTTP/1.0 needs no Host, but never has two (RFC 9112, 3.2).
      const hosts = request.headersDistinct.host?.length ?? 0;
      if (hosts > 1 || (hosts === 0 && request.httpVersion === "1.1")) return refuseRequest(response, 400);
      // Without this function, Express would answer in HTML. Express also cannot route some targets at all.
      routes(request, response, (error) => this.#unanswered(error, response));
    });
    this.#server = createServer(HTTP_LIMITS, listener);
    this.#shares = limitConnections(this.#server, options.trustedProxies);
    // Node's own answer to an unknown `Expect` has no envelope and no request id.
    const unmetExpectation = inTurn((_, response) => {
      identify(response, random.uuid());
      refuseRequest(response, 417);
    });
    this.#server.on("checkExpectation", unmetExpectation);
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      refuseConnection(error, socket, random.uuid()),
    );
  }

  /**
   * Starts to listen, and resolves to the port. Rejects if the server cannot listen, for example because the port is in
   * use.
   */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, this.#options.host, () => resolve(this.port));
    });
  }

  /** The port on which the server listens. Before the start: the configured port. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port;
  }

  /** After this call every reply closes its connection. So clients open their next connection to another replica. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * Refuses new connections, and waits until every request is answered. After `withinMs` it closes the connections that
   * are still open.
   */
  stop(withinMs: number): Promise<void> {
    this.drain();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), withinMs);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /**
   * The signed API is outside the Express app. What an app adds to each request costs a fifteenth of a call, and the
   * API needs nothing of it.
   */
  #routes(): Router {
    const app = express();
    app.disable("x-powered-by");
    app.set("etag", false);
    app.use((_, response, next) => {
      response.setHeader(REQUEST_ID_HEADER, requestIdOf(response));
      next();
    });
    // Health checks have no rate limit, because the load balancer may share its address with every merchant.
    app.use("/health", (_request, response, next) => {
      setRoute(response, "/health");
      next();
    });
    app.get("/health/live", (_, response) => sendJson(response, 200, { status: "live" }, requestIdOf(response)));
    app.get("/health/ready", this.#ready);
    app.all(["/health/live", "/health/ready"], (_, response) => {
      sendReply(
        response,
        { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: "GET, HEAD" } },
        requestIdOf(response),
      );
    });
    app.use(this.#limited);
    app.use((_request, response, next) => {
      setRoute(response, "pages");
      next();
    });
    app.use(this.#options.pages);
    if (this.#options.pathPrefix !== "") app.use(this.#options.pathPrefix, this.#options.pages);
    app.use(((error, _request, response, _next) => this.#unanswered(error, response)) satisfies ErrorRequestHandler);
    return Router().use(this.#signed, app);
  }

  readonly #signed: RequestHandler = async (request, response, next) => {
    const target = readTarget(request.originalUrl, this.#options.pathPrefix);
    if (target === undefined) {
      discardBody(request);
      return next();
    }
    const address = this.#addressOf(request);
    const refusal = this.#api.tooMany(address);
    if (refusal !== undefined) {
      discardBody(request);
      return sendReply(response, refusal, requestIdOf(response));
    }
    const body = await this.#bodies.read(request);
    if (body === "aborted") return;
    const { method, headersDistinct: headers } = request;
    const onRoute = (path: string) => setRoute(response, path);
    const onSigned = () => this.#shares.recognize(request.socket);
    const reply = await this.#api.answer({ method, target, headers, body, address, onRoute, onSigned });
    if ("chunks" in reply)
      await sendStream(response, reply, requestIdOf(response), (cause) =>
        this.#telemetry.error("a stream was cut", cause),
      );
    else sendReply(response, reply, requestIdOf(response), headers["if-none-match"]);
  };

  /** Counts an address's requests for pages together with its signed calls. */
  readonly #limited: RequestHandler = (request, response, next) => {
    const refusal = this.#api.tooMany(this.#addressOf(request));
    if (refusal === undefined) next();
    else sendReply(response, refusal, requestIdOf(response));
  };

  readonly #ready: RequestHandler = (_, response) => {
    const reasons = this.#options.notReady();
    const warnings = this.#options.warnings?.() ?? [];
    const body = {
      ...(reasons.length === 0 ? { status: "ready" } : { status: "not_ready", reasons }),
      ...(warnings.length > 0 && { warnings }),
    };
    sendJson(response, reasons.length === 0 ? 200 : 503, body, requestIdOf(response));
  };

  #measure(request: IncomingMessage, response: ServerResponse): void {
    const { onRequest } = this.#options;
    if (onRequest === undefined) return;
    const began = performance.now();
    response.once("close", () =>
      onRequest(request.method ?? "", routeOf(response), response.statusCode, (performance.now() - began) / 1_000),
    );
  }

  #addressOf(request: IncomingMessage): string {
    return clientAddress(
      request.socket.remoteAddress ?? "",
      request.headersDistinct["x-forwarded-for"] ?? [],
      this.#options.trustedProxies,
    );
  }

  /**
   * Answers if no route has answered: NOT_FOUND, or INTERNAL_ERROR after an error. The error's cause is written only to
   * the log.
   */
  #unanswered(error: unknown, response: ServerResponse): void {
    if (error !== undefined && error !== null) this.#telemetry.error("request failed", error);
    const code = error === undefined || error === null ? "NOT_FOUND" : "INTERNAL_ERROR";
    sendReply(response, { refusal: { code } }, requestIdOf(response));
  }
}

/** Records for the metrics which route answers. */
const setRoute = (response: ServerResponse, route: string): void =>
  void Object.assign((response as Identified).locals, { route });
const routeOf = (response: ServerResponse): string => (response as Identified).locals.route ?? "none";
type Identified = ServerResponse & { readonly locals: { readonly route?: string } };

/** Answers before the body of the request has come, and closes the connection. */
function refuseRequest(response: ServerResponse, status: 400 | 417 | 431): void {
  discardBody(response.req);
  const requestId = requestIdOf(response);
  const language = languageFor(response);
  sendJson(response, status, failureBody({ code: "BAD_REQUEST" }, requestId, language, status), requestId, {
    ...LANGUAGE_HEADERS[language],
    Connection: "close",
  });
}

/**
 * Answers by writing to the socket itself. Node creates no request object for bytes that are not HTTP, for headers that
 * are too long, or for a request that comes too slowly.
 */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] = CONNECTION_FAULTS[error.code ?? ""] ?? [400, "Bad Request"];
  const body = JSON.stringify(failureBody({ code: "BAD_REQUEST" }, requestId, DEFAULT_LANGUAGE, status));
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Language: ${DEFAULT_LANGUAGE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const CONNECTION_FAULTS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};
