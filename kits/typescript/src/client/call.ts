/** One signed call. It is repeated if a repeat is safe. */
import { setTimeout as sleep } from "node:timers/promises";
import { signedHeaders } from "../signing.ts";
import { AggregatorError, ConnectionError, errorOf } from "./errors.ts";
import { parseJson } from "./json.ts";

export interface ClientOptions {
  /** The API's address without `/v1`: `https://api.aggregator.example`. */
  readonly baseUrl: string;
  /** The merchant's code. */
  readonly merchant: string;
  readonly secret: string;
  /** The time-out of one attempt, in ms; 15 000 by default. For an export it covers the time until the first byte. */
  readonly timeoutMs?: number;
  /** The maximum number of attempts of a call; 6 by default. The feed has no maximum. */
  readonly attempts?: number;
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

export class Caller {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, "");
    if (!/^https?:\/\//.test(this.#base) || this.#base.endsWith("/v1"))
      throw new TypeError(`baseUrl must be an http or https address without /v1: ${options.baseUrl}`);
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
  async stream(request: Request): Promise<Response> {
    return this.#repeat(request, (response) => Promise.resolve(response));
  }

  async #repeat<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
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

  async #once<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, target, payload, signal } = request;
    // The body is serialised once, so that the signed bytes are the bytes that are sent.
    const body = payload === undefined ? "" : JSON.stringify(payload);
    const { merchant, secret, timeoutMs = 15_000 } = this.#options;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`no reply within ${timeoutMs} ms`)), timeoutMs);
    try {
      const response = await fetch(this.#base + target, {
        method,
        headers: {
          ...signedHeaders(merchant, secret, { method, target, body }),
          ...(body !== "" && { "Content-Type": "application/json" }),
        },
        ...(body !== "" && { body }),
        redirect: "error",
        signal: signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
      });
      if (response.ok) return await read(response);
      throw await this.#refusal(response);
    } catch (cause) {
      if (cause instanceof AggregatorError || cause instanceof ConnectionError) throw cause;
      throw new ConnectionError(`${method} ${target}: ${(cause as Error).message}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  async #envelope<T>(response: Response): Promise<{ data: T }> {
    const text = await response.text();
    const envelope = parseJson(text) as { success?: unknown; data: T } | null;
    if (envelope?.success === true) return envelope;
    throw new ConnectionError(`The reply is not the service's: HTTP ${response.status} ${text.slice(0, 200)}`);
  }

  async #refusal(response: Response): Promise<Error> {
    const { status, headers } = response;
    const text = await response.text();
    const retryAfter = headers.get("retry-after");
    const retryAfterMs = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined;
    const error = errorIn(text);
    // A proxy can also refuse the call. Its reply has another form.
    const code = error?.code ?? (status === 429 ? "RATE_LIMITED" : `HTTP_${status}`);
    return errorOf({
      code,
      status,
      message: error?.message ?? text.slice(0, 200),
      requestId: error?.request_id ?? headers.get("x-request-id") ?? "",
      details: error?.details,
      retryAfterMs,
    });
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
