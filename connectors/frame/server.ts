/** The HTTP server that a provider calls. It reads the raw body, because signatures are over the bytes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Traces } from "./operation/tracing.ts";
import type { Watch } from "./watch.ts";

export interface WireRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path with the query, as it was sent. */
  readonly target: string;
  /** A header by its lower-case name; empty if it is absent or comes twice. */
  header(name: string): string;
  /** undefined: the body is larger than 64 KiB. */
  readonly body: Buffer | undefined;
  /** Whether the caller has closed the connection. */
  readonly hasHungUp: () => boolean;
}

export interface WireAnswer {
  /** The HTTP status; 200 without it. */
  readonly http?: number;
  readonly body: string;
  readonly contentType?: string;
  /** The API's own status, for metrics and the log. */
  readonly status: string;
  /** The route, for metrics; the path without it. An API that is called under any path must name it. */
  readonly route?: string;
}

/** What a connector's wallet API does with requests. */
export interface WalletApi {
  /** The answer to a request; undefined: there is no such path. */
  answer(request: WireRequest): Promise<WireAnswer | undefined>;
  /** The answer after an unexpected error, such as a lost database: by this API's rules nobody knows the outcome. */
  failure(request: WireRequest): WireAnswer;
}

const BODY_MAX_BYTES = 65_536;
const DISCARD_MAX_BYTES = 1_048_576;
const TIMES = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 65_000 };

/** `tls`: the certificate and its key in PEM; undefined: the port has no TLS. */
export function walletServer(
  api: WalletApi,
  watch: Watch,
  traces: Traces,
  tls?: Parameters<typeof createSecureServer>[0],
): Server {
  const server = tls === undefined ? createServer(TIMES) : createSecureServer({ ...TIMES, ...tls });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const begun = performance.now();
    const traceparent = String(request.headers.traceparent ?? "");
    void traces
      .request(
        "provider's request",
        traceparent,
        () => answerTo(request, api, watch),
        ({ answer }) => answer.status,
      )
      .then(({ answer, path }) => {
        const { http = 200, body, contentType = "application/json", status } = answer;
        response.once("finish", () => watch.answered(path, status, (performance.now() - begun) / 1_000));
        response.writeHead(http, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
        response.end(body);
      });
  });
  return server;
}

async function answerTo(
  incoming: IncomingMessage,
  api: WalletApi,
  watch: Watch,
): Promise<{ answer: WireAnswer; path: string }> {
  const target = incoming.url ?? "/";
  const [path = "/", query = ""] = target.split("?", 2);
  const request: WireRequest = {
    method: incoming.method ?? "",
    path,
    target,
    query: new URLSearchParams(query),
    header: (name) => {
      const values = incoming.headersDistinct[name] ?? [];
      return values.length === 1 ? (values[0] ?? "") : "";
    },
    body: await readBody(incoming),
    hasHungUp: () => !incoming.socket.writable,
  };
  try {
    const answer = await api.answer(request);
    if (answer !== undefined) return { answer, path: answer.route ?? path };
    return { answer: { http: 404, body: '{"error":"not found"}', status: "404" }, path: "other" };
  } catch (cause) {
    watch.log.error({ err: cause, path }, "a request failed");
    const answer = api.failure(request);
    return { answer, path: answer.route ?? path };
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= BODY_MAX_BYTES) pieces.push(piece);
      // A caller reads the answer only after it has sent its body, so some more is read and thrown away.
      else if (size > DISCARD_MAX_BYTES) request.destroy();
    });
    const end = () => resolve(size <= BODY_MAX_BYTES ? Buffer.concat(pieces) : undefined);
    request.on("end", end).on("error", end).on("close", end);
  });
}
