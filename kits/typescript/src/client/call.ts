/** One signed call. It is repeated if a repeat is safe. */

import type { Agent, IncomingMessage } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { signedHeaders } from "../signing.ts";
import { agentFor } from "./connect.ts";
import { AggregatorError, ConnectionError, errorOf } from "./errors.ts";
import { parseJson } from "./json.ts";

export interface ClientOptions {
  /** The API's address without `/v1`: `https://api.aggregator.example`. */
  readonly baseUrl: string;
  /** The merchant's code. */
  readonly merchant: string;
  readonly secret: string;
  /**
   * The time-out of one attempt, from the connect to the last byte, in ms; 15 000 by default. For an export it is the
   * longest time without a byte.
   */
  readonly timeoutMs?: number;
  /** The maximum number of attempts of a call; 6 by default. The feed has no maximum. */
  readonly attempts?: number;
  /** An agent of node:http or node:https, for a proxy or for TLS. */
  readonly agent?: Agent;
}

export interface Request {
  readonly method: "GET" | "POST";
  /** The request's path and query, beginning with `/v1`. */
  readonly target: string;
  readonly payload?: unknown;
  /** Whether the call may be repeated: it changes nothing, or a repeat has no further effect. */
  readonly isRepeatable: boolean;
  readonly attempts?: number;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** The longest accepted Retry-After. A proxy may send a value of days, and a timer cannot run longer than 24 days. */
const LONGEST_ASKED_PAUSE_MS = 300_000;
const isTransient = (status: number): boolean => status === 429 || status >= 500;

/** Firewalls refuse calls without a User-Agent. No coding of a reply is decoded. */
const HEADERS = { "User-Agent": "game-aggregator-typescript/1.0.0", "Accept-Encoding": "identity" };
/** Far above a page of 1,000 transactions. An export has no limit, because it is streamed. */
const LARGEST_REPLY = 64 * 1024 * 1024;

export class Caller {
  readonly #options: ClientOptions;
  readonly #timeoutMs: number;
  readonly #base: string;
  readonly #agent: Agent;
  readonly #request: typeof http.request;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, "");
    if (!/^https?:\/\//.test(this.#base) || this.#base.endsWith("/v1"))
      throw new TypeError(`baseUrl must be an http or https address without /v1: ${options.baseUrl}`);
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    this.#agent = options.agent ?? agentFor(this.#base, this.#timeoutMs);
    this.#request = this.#base.startsWith("https:") ? https.request : http.request;
  }

  /**
   * The reply's `data`.
   *
   * @throws AggregatorError, ConnectionError, and `signal.reason` when the signal aborts the call
   */
  async data<T>(request: Request): Promise<T> {
    return this.#repeat(request, async (response) => (await this.#envelope<T>(response)).data);
  }

  /** A reply as a stream. The call is repeated only until a reply begins. */
  async stream(request: Request): Promise<AsyncGenerator<Buffer, void>> {
    return this.#repeat(request, (response) => Promise.resolve(pieces(response, this.#timeoutMs)));
  }

  async #repeat<T>(request: Request, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const most = request.isRepeatable ? (request.attempts ?? this.#options.attempts ?? 6) : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(request, read);
      } catch (cause) {
        request.signal?.throwIfAborted();
        const mayPass =
          cause instanceof ConnectionError || (cause instanceof AggregatorError && isTransient(cause.status));
        if (!mayPass || attempt >= most) throw cause;
        const askedMs = cause instanceof AggregatorError ? cause.retryAfterMs : undefined;
        await pause(pauseMs(attempt, askedMs), request.signal);
      }
    }
  }

  async #once<T>(request: Request, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const { method, target, payload, signal } = request;
    // The body is serialised once, so that the signed bytes are the bytes that are sent.
    const body = payload === undefined ? "" : JSON.stringify(payload);
    const timeout = new AbortController();
    const late = new Error(`no complete reply within ${this.#timeoutMs} ms`);
    const timer = setTimeout(() => timeout.abort(late), this.#timeoutMs);
    try {
      const response = await this.#send(
        request,
        body,
        signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
      );
      const { statusCode: status = 0 } = response;
      if (status >= 200 && status < 300) return await read(response);
      throw await refusal(response);
    } catch (cause) {
      if (cause instanceof AggregatorError || cause instanceof ConnectionError) throw cause;
      const why = timeout.signal.aborted ? late : (cause as Error);
      throw new ConnectionError(`${method} ${target}: ${why.message}`, { cause: why });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends the call. node:http passes interim replies over, follows no redirects, and repeats nothing by itself. */
  async #send({ method, target }: Request, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { merchant, secret } = this.#options;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { protocol, hostname, port, pathname } = new URL(this.#base);
      const sent = this.#request({
        protocol,
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port,
        // A URL object would change dots of the path, which are signed.
        path: pathname.replace(/\/$/, "") + target,
        method,
        agent: this.#agent,
        signal,
        headers: {
          ...HEADERS,
          ...signedHeaders(merchant, secret, { method, target, body }),
          ...(body !== "" && { "Content-Type": "application/json" }),
          ...(method === "POST" && { "Content-Length": Buffer.byteLength(body) }),
        },
      });
      sent.once("response", resolve).once("error", reject);
      sent.once("upgrade", (_response, socket) => {
        socket.destroy();
        reject(new Error("HTTP 101, although the call asked for no other protocol"));
      });
      sent.end(body);
    });
    const coding = response.headers["content-encoding"]?.toLowerCase() ?? "identity";
    if (coding === "identity") return response;
    response.destroy();
    throw new ConnectionError(
      `${method} ${target}: the reply has the Content-Encoding ${coding}, although only identity was accepted`,
    );
  }

  async #envelope<T>(response: IncomingMessage): Promise<{ data: T }> {
    const text = await textOf(response);
    const envelope = envelopeIn(text) as { success?: unknown; data: T } | null | undefined;
    if (envelope?.success === true) return envelope;
    throw new ConnectionError(`The reply is not the service's: HTTP ${response.statusCode} ${text.slice(0, 200)}`);
  }
}

function envelopeIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

async function refusal(response: IncomingMessage): Promise<Error> {
  const { statusCode: status = 0, headers } = response;
  const text = await textOf(response);
  const retryAfter = headers["retry-after"];
  const retryAfterMs = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined;
  const error = errorIn(text);
  // A proxy can also refuse the call. Its reply has another form.
  const code = error?.code ?? (status === 429 ? "RATE_LIMITED" : `HTTP_${status}`);
  return errorOf({
    code,
    status,
    message: error?.message ?? text.slice(0, 200),
    requestId: error?.request_id ?? String(headers["x-request-id"] ?? ""),
    details: error?.details,
    retryAfterMs,
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    // To leave the loop destroys the connection.
    if (size > LARGEST_REPLY) throw new ConnectionError(`The reply has more than ${LARGEST_REPLY} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The body of a reply. It ends with an error when no piece comes for the limit. */
async function* pieces(response: IncomingMessage, limitMs: number): AsyncGenerator<Buffer, void> {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error(`no byte within ${limitMs} ms`)), limitMs);
      const piece = await iterator.next().finally(() => clearTimeout(timer));
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    // The consumer may leave before the end.
    if (!response.readableEnded) response.destroy();
  }
}

interface WireError {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: unknown;
}

function errorIn(text: string): WireError | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: WireError };
    return typeof error?.code === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** The pause after this attempt. `askedMs`: the reply's Retry-After. */
export function pauseMs(attempt: number, askedMs: number | undefined): number {
  const backOff = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_PAUSE_MS);
  // Because of the random part, many clients do not repeat their calls at the same moment.
  return Math.min(askedMs ?? backOff, LONGEST_ASKED_PAUSE_MS) + backOff * Math.random();
}

/** Rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw cause;
  });
}
