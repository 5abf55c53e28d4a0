/**
 * The small HTTP server for the sandbox's pages: files, JSON under /api, security headers. The types of TypeScript in
 * `folders` are stripped when it is served, so these pages need no build. The sportsbook's page is built.
 */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { PageFile } from "../../web-files/page-file.ts";
import { readBody } from "./body.ts";
import { allowsHost } from "./hosts.ts";

const BODY_BYTES_MAX = 16 * 1024;
const CONNECTIONS_MAX = 6_000;
/** The longest times in which headers and a whole request may arrive, in ms. */
const TIMES = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** A call of `/api`: the parsed JSON body (undefined for a GET) and the raw request. */
export interface ApiCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: unknown;
}

/**
 * Handles a call. The server sends the returned value as JSON. undefined: the handler has sent the answer itself (a
 * stream). The handler throws {@link Refused} to refuse a call.
 */
export type ApiHandler = (call: ApiCall) => unknown;

/** A refusal to the page: the HTTP status, a code for programs, and a sentence for people. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface PageServer {
  /** The handlers, by exact `METHOD /path`. */
  readonly api: Readonly<Record<string, ApiHandler>>;
  /** Folders by URL prefix. The longest prefix counts. `/` serves index.html. */
  readonly folders: Readonly<Record<string, string>>;
  /** The Content-Security-Policy that is sent with every response. It may depend on the address. */
  readonly csp: string | ((url: URL) => Promise<string>);
  /** Other files, by address. Pages of other origins may show them. */
  readonly files?: (url: URL, request: IncomingMessage) => PageFile | undefined | Promise<PageFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".ts": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Starts listening (port 0: any free port). Resolves to the server and its port. */
export async function startPageServer(
  page: PageServer,
  port: number,
  host: string,
): Promise<{ server: Server; port: number }> {
  const server = createServer(TIMES, pageListener(page));
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host);
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Answers the requests of a page on a server that also answers other requests. */
export const pageListener =
  (page: PageServer): RequestListener =>
  (request, response) => {
    answer(page, request, response).catch((error: unknown) => fail(response, error));
  };

async function answer(page: PageServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!allowsHost(request.headers.host))
    throw new Refused(
      421,
      "HOST_NOT_ALLOWED",
      `The Host "${request.headers.host?.slice(0, 255) ?? ""}" is not allowed here. SANDBOX_ALLOWED_HOSTS names the hosts by which the sandbox may be called, beside localhost and addresses.`,
    );
  const url = urlOf(request.url ?? "/");
  response.setHeader("content-security-policy", typeof page.csp === "string" ? page.csp : await page.csp(url));
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cache-control", "no-store");
  const handler = page.api[`${request.method} ${url.pathname}`];
  if (handler !== undefined) {
    const body = request.method === "GET" ? undefined : await readJson(request);
    const result = await handler({ request, response, url, body });
    if (result !== undefined) json(response, 200, result);
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new Refused(404, "NOT_FOUND", "There is nothing here.");
  const made = await page.files?.(url, request);
  if (made !== undefined) {
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    return made.answer(request, response);
  }
  await file(page, url.pathname, response);
}

/** A path alone would not do: `//name` would be read as a host. */
function urlOf(target: string): URL {
  const url = URL.parse(target.startsWith("/") ? `http://sandbox${target}` : target);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Refused(400, "BAD_REQUEST", "This address cannot be read.");
  return url;
}

async function file(page: PageServer, path: string, response: ServerResponse): Promise<void> {
  const prefix = Object.keys(page.folders)
    .filter((p) => path.startsWith(p))
    .sort((a, b) => b.length - a.length)[0];
  const name = normalize(path.slice(prefix?.length ?? 0) || "index.html");
  const type = TYPES[extname(name)];
  if (prefix === undefined || type === undefined || name.startsWith(".."))
    throw new Refused(404, "NOT_FOUND", "There is nothing here.");
  let bytes: Buffer;
  try {
    bytes = await readFile(join(page.folders[prefix] as string, name));
  } catch {
    throw new Refused(404, "NOT_FOUND", "There is nothing here.");
  }
  const content = name.endsWith(".ts") ? stripTypeScriptTypes(bytes.toString("utf8")) : bytes;
  response.writeHead(200, { "content-type": type }).end(content);
}

/**
 * Reads a request's JSON body, and refuses requests of other sites. A form of another site can't set this media type. A
 * script of another site would need CORS, which this server does not grant. The check of Origin is a second protection.
 */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const origin = request.headers.origin;
  if (origin !== undefined && URL.parse(origin)?.host !== request.headers.host)
    throw new Refused(403, "FOREIGN_ORIGIN", "This request came from another site.");
  if (request.headers["content-type"] !== "application/json")
    throw new Refused(415, "UNSUPPORTED_MEDIA_TYPE", "JSON only.");
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body === undefined) throw new Refused(413, "PAYLOAD_TOO_LARGE", "That is too much.");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new Refused(400, "BAD_REQUEST", "That is not JSON.");
  }
}

function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refused)) console.error(error);
  if (response.headersSent) return void response.destroy();
  const refused =
    error instanceof Refused
      ? error
      : new Refused(500, "INTERNAL_ERROR", "Something broke in the sandbox. Its terminal says what.");
  json(response, refused.status, { error: { code: refused.code, message: refused.message } });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
}

/** The text field of a page's body with this name. Throws {@link Refused} if the field is missing or not a text. */
export function textField(body: unknown, name: string): string {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  if (typeof value !== "string") throw new Refused(422, "VALIDATION_ERROR", `${name} is missing.`);
  return value;
}
