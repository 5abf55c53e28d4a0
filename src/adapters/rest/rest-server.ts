import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { clientAddress, type IpRange } from "../../domain/access/ip-list.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { inTurn } from "../http/in-turn.ts";
import { HTTP_LIMITS, limitConnections } from "../http/limits.ts";
import { failureBody, identify, REQUEST_ID_HEADER, requestIdOf, sendJson, sendReply } from "./replies/reply.ts";
import { sendStream } from "./replies/stream.ts";
import { readRawBody } from "./requests/raw-body.ts";
import { readTarget } from "./requests/request-target.ts";
import type { SignedApi } from "./signed-api.ts";

export interface RestServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The path of PUBLIC_URL, without a trailing slash: accepted before `/v1`. Empty when there is none. */
  readonly pathPrefix: string;
  /** Whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly IpRange[];
  /** Why this replica should get no requests now; empty: it should. */
  readonly notReady: () => readonly string[];
  /** What merchants read beside the API: /openapi.json and /docs. */
  readonly pages: RequestHandler;
}

const HEADERS_MAX = 100;

/** The operator API: the signed `/v1`, and `/health`, `/openapi.json` and `/docs` beside it. */
export class RestServer {
  readonly #options: RestServerOptions;
  readonly #api: SignedApi;
  readonly #telemetry: Telemetry;
  readonly #server: Server;
  #stopping = false;

  constructor(api: SignedApi, random: Random, telemetry: Telemetry, options: RestServerOptions) {
    this.#api = api;
    this.#telemetry = telemetry;
    this.#options = options;
    // Express takes Node's own request and response; its types say that of an app alone.
    const routes = this.#routes() as unknown as (request: IncomingMessage, response: ServerResponse, unanswered: (error?: unknown) => void) => void;
    const listener = inTurn((request, response) => {
      identify(response, random.uuid());
      if (this.#stopping) response.setHeader("Connection", "close");
      if (request.rawHeaders.length > 2 * HEADERS_MAX) return refuseRequest(response, 431);
      if (request.httpVersion === "1.1" && request.headersDistinct.host?.length !== 1) return refuseRequest(response, 400);
      // Express' own last answer is HTML, and some targets it can't route at all.
      routes(request, response, (error) => this.#lastResort(error, response));
    });
    this.#server = createServer(HTTP_LIMITS, listener);
    limitConnections(this.#server);
    // Node's own answer has neither envelope nor id.
    const unmetExpectation = inTurn((_, response) => {
      identify(response, random.uuid());
      refuseRequest(response, 417);
    });
    this.#server.on("checkExpectation", unmetExpectation);
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseConnection(error, socket, random.uuid()));
  }

  /** Listens, and resolves to the port. Rejects when it can't. */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, this.#options.host, () => resolve(this.port));
    });
  }

  /** The one that was bound; before that, the one that was asked for. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port;
  }

  /** Takes no new connection, and resolves when every request is answered; `withinMs` later it cuts off what is left. */
  stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), withinMs);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The signed API needs none of what an app adds to request and response, a fifteenth of what its call costs. */
  #routes(): Router {
    const app = express();
    app.disable("x-powered-by");
    app.set("etag", false);
    app.use((_, response, next) => {
      response.setHeader(REQUEST_ID_HEADER, requestIdOf(response));
      next();
    });
    // Before the limit: the balancer that asks may share its address with every merchant.
    app.get("/health/live", (_, response) => sendJson(response, 200, { status: "live" }, requestIdOf(response)));
    app.get("/health/ready", this.#ready);
    app.all(["/health/live", "/health/ready"], (_, response) => {
      sendReply(response, { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: "GET, HEAD" } }, requestIdOf(response));
    });
    app.use(this.#limited);
    app.use(this.#options.pages);
    if (this.#options.pathPrefix !== "") app.use(this.#options.pathPrefix, this.#options.pages);
    app.use(((error, _request, response, _next) => this.#lastResort(error, response)) satisfies ErrorRequestHandler);
    return Router().use(this.#signed, app);
  }

  readonly #signed: RequestHandler = async (request, response, next) => {
    const target = readTarget(request.originalUrl, this.#options.pathPrefix);
    if (target === undefined) return next();
    const body = await readRawBody(request);
    if (body === "aborted") return;
    const { method, headersDistinct: headers } = request;
    const reply = await this.#api.answer({ method, target, headers, body, address: this.#addressOf(request) });
    if ("chunks" in reply) await sendStream(response, reply, requestIdOf(response), (cause) => this.#telemetry.error("a stream was cut", cause));
    else sendReply(response, reply, requestIdOf(response), headers["if-none-match"]);
  };

  /** An address has as many requests as it has calls, from the same bucket. */
  readonly #limited: RequestHandler = (request, response, next) => {
    const refusal = this.#api.tooMany(this.#addressOf(request));
    if (refusal === undefined) next();
    else sendReply(response, refusal, requestIdOf(response));
  };

  readonly #ready: RequestHandler = (_, response) => {
    const reasons = this.#options.notReady();
    const [status, body] = reasons.length === 0 ? [200, { status: "ready" }] : [503, { status: "not_ready", reasons }];
    sendJson(response, status as number, body as object, requestIdOf(response));
  };

  #addressOf(request: IncomingMessage): string {
    return clientAddress(request.socket.remoteAddress ?? "", request.headersDistinct["x-forwarded-for"] ?? [], this.#options.trustedProxies);
  }

  /** Nothing answered: there is no such address, or something threw. The cause goes to the log alone. */
  #lastResort(error: unknown, response: ServerResponse): void {
    if (error !== undefined && error !== null) this.#telemetry.error("request failed", error);
    const code = error === undefined || error === null ? "NOT_FOUND" : "INTERNAL_ERROR";
    sendReply(response, { refusal: { code } }, requestIdOf(response));
  }
}

/** A body may follow: it is not waited for. */
function refuseRequest(response: ServerResponse, status: 400 | 417 | 431): void {
  const requestId = requestIdOf(response);
  sendJson(response, status, failureBody({ code: "BAD_REQUEST" }, requestId, status), requestId, { Connection: "close" });
}

/** What isn't HTTP, has too long headers or comes too slowly never gets a request object: answered on the bare socket. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] = CONNECTION_FAULTS[error.code ?? ""] ?? [400, "Bad Request"];
  const body = JSON.stringify(failureBody({ code: "BAD_REQUEST" }, requestId, status));
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const CONNECTION_FAULTS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};
