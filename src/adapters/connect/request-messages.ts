import type { IncomingMessage, ServerResponse } from "node:http";
import { discardBody, RawBodies } from "../http/raw-body.ts";
import { sessionIn } from "./console/session-cookie.ts";

/** The longest message of a call. */
export const MESSAGE_MAX_BYTES = 64 * 1024;
/** The flags and the length before a message in Connect's streams and in gRPC-Web. */
const PREFIX_BYTES = 5;
/** Paths of methods begin with this. */
const METHODS = "/aggregator.";

/** How callers are recognised before their message is read. */
export interface Callers {
  /** Whether an `authorization` header has a right key, by the settings in memory. */
  readonly isRightKey: (authorization: string) => boolean;
  /** Reads the settings again, because a key may be newer than the settings in memory. */
  readonly readAgain: () => Promise<unknown>;
  /** Whether this service has made this session id for the console. The session may have ended since. */
  readonly isOwnSession: (id: string) => boolean;
}

/**
 * Reads the message of a call, before Connect gets it. The headers decide first: the message of a caller without a right
 * key is not read. Then the message is kept in one buffer, because Connect would keep each piece of it.
 */
export class RequestMessages {
  readonly #callers: Callers | undefined;
  readonly #recognized: (request: IncomingMessage) => void;
  readonly #bodies = new RawBodies(MESSAGE_MAX_BYTES + PREFIX_BYTES);

  /** @param recognized - called for a request with a right key or session. */
  constructor(callers: Callers | undefined, recognized: (request: IncomingMessage) => void) {
    this.#callers = callers;
    this.#recognized = recognized;
  }

  /** @param answer - answers the request, whose message has been read. It is not called if the caller hung up. */
  async read(request: IncomingMessage, response: ServerResponse, answer: () => void): Promise<void> {
    if (request.method !== "POST" || request.url?.startsWith(METHODS) !== true) {
      discardBody(request);
      return answer();
    }
    if (!this.#isKnown(request) && !(await this.#isKnownNow(request))) {
      discardBody(request);
      forgetCaller(request);
      replaceBody(request, emptyMessage(request));
      return answer();
    }
    this.#recognized(request);
    // Only such a request may have several messages.
    if (contentType(request).startsWith("application/connect+")) return answer();
    const body = await this.#bodies.read(request);
    if (body === "aborted") return;
    if (body === "no_room") return refuse(response);
    // Connect refuses a message of this length in the protocol of the call.
    replaceBody(request, body === "too_large" ? Buffer.alloc(MESSAGE_MAX_BYTES + PREFIX_BYTES + 1) : body);
    answer();
  }

  #isKnown(request: IncomingMessage): boolean {
    if (this.#callers === undefined) return true;
    const { authorization } = request.headers;
    const session = sessionIn(request);
    if (authorization !== undefined) return this.#callers.isRightKey(authorization);
    return session !== undefined && this.#callers.isOwnSession(session);
  }

  async #isKnownNow(request: IncomingMessage): Promise<boolean> {
    if (request.headers.authorization === undefined) return false;
    await this.#callers?.readAgain();
    return this.#isKnown(request);
  }
}

const contentType = ({ headers }: IncomingMessage): string => (headers["content-type"] ?? "").trim().toLowerCase();

/** The shortest message of the request's protocol, so that the call reaches its method, which refuses the caller. */
function emptyMessage(request: IncomingMessage): Buffer {
  const type = contentType(request).split(";", 1)[0] as string;
  const message = Buffer.from(type.endsWith("json") ? "{}" : "");
  if (!type.startsWith("application/connect+") && !type.startsWith("application/grpc-web")) return message;
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * Removes the wrong key, so that it cannot become right before the method checks it. Otherwise the method would run with
 * the empty message.
 */
function forgetCaller({ headers }: IncomingMessage): void {
  for (const name of ["authorization", "cookie", "content-length", ...CODINGS]) delete headers[name];
}

const CODINGS = ["content-encoding", "connect-content-encoding", "grpc-encoding"];

/** Connect reads a request only as an async iterable. */
function replaceBody(request: IncomingMessage, body: Buffer): void {
  Object.assign(request, {
    [Symbol.asyncIterator]: async function* () {
      if (body.length > 0) yield body;
    },
  });
}

/** The error has Connect's form. Other clients understand the status. */
function refuse(response: ServerResponse): void {
  response.writeHead(429, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" });
  response.end(JSON.stringify({ code: "resource_exhausted", message: "OVERLOADED: too many requests arrive at once" }));
}
