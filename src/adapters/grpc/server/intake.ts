import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

/** Calls let in at a time: a few milliseconds' work. */
const TOGETHER = 64;
const TIMEOUT_HEADER = "grpc-timeout";
/** The longest that eight digits of milliseconds can say: more than a day. */
const TIMEOUT_MAX_MS = 99_999_999;
/** gRPC's units of a time-out, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = { n: 1e-6, u: 1e-3, m: 1, S: 1_000, M: 60_000, H: 3_600_000 };

type Stream = Pick<ServerHttp2Stream, "closed" | "destroyed" | "close" | "on">;

interface Arrived<S> {
  readonly stream: S;
  readonly headers: IncomingHttpHeaders;
  readonly more: readonly unknown[];
  readonly at: number;
  /** undefined: the caller waits for as long as it takes. */
  readonly timeoutMs: number | undefined;
}

/**
 * Lets calls in a few at a time, in the order in which they came; between, whatever else is ready goes on.
 *
 * A socket hands over all that it has at once: with some thousand callers one turn of the event loop would begin some
 * thousand calls. Everything that was begun before would wait for them, the loop would be late by its own doing, and
 * every call of the burst be refused for it; and then they all come back. So what is begun has precedence, and a burst
 * waits at the door.
 */
export class Intake<S extends Stream = ServerHttp2Stream> {
  #waiting: Arrived<S>[] = [];
  #scheduled = false;
  readonly #begin: (stream: S, headers: IncomingHttpHeaders, ...more: unknown[]) => void;
  readonly #now: () => number;
  readonly #ahead: string;

  /**
   * @param now - a clock in milliseconds that never goes back.
   * @param ahead - calls whose path begins so don't wait: they are rare, and ask how the service is.
   */
  constructor(
    begin: (stream: S, headers: IncomingHttpHeaders, ...more: unknown[]) => void,
    now: () => number,
    ahead: string,
  ) {
    this.#begin = begin;
    this.#now = now;
    this.#ahead = ahead;
  }

  /** As a listener of `stream`. */
  readonly arrived = (stream: S, headers: IncomingHttpHeaders, ...more: unknown[]): void => {
    // grpc-js (1.14.7) reckons in 32 bits: a time-out of a month would be over at once.
    const timeoutMs = timeoutOf(headers[TIMEOUT_HEADER]);
    if (timeoutMs !== undefined && timeoutMs > TIMEOUT_MAX_MS) headers[TIMEOUT_HEADER] = `${TIMEOUT_MAX_MS}m`;
    if (headers[":path"]?.toString().startsWith(this.#ahead) === true) return this.#begin(stream, headers, ...more);
    // Who resets a stream that waits would end the process: nobody else listens yet.
    stream.on("error", nobodyElse);
    this.#waiting.push({
      stream,
      headers,
      more,
      at: this.#now(),
      timeoutMs: timeoutMs && Math.min(timeoutMs, TIMEOUT_MAX_MS),
    });
    this.#schedule();
  };

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const arrived of this.#waiting.splice(0, TOGETHER)) this.#letIn(arrived);
      this.#schedule();
    });
  }

  #letIn({ stream, headers, more, at, timeoutMs }: Arrived<S>): void {
    if (stream.closed || stream.destroyed) return;
    const waitedMs = this.#now() - at;
    // The caller counts its time from the sending. Whose time is over has gone: nothing is begun for it.
    if (timeoutMs !== undefined && timeoutMs <= waitedMs) return stream.close(constants.NGHTTP2_CANCEL);
    if (timeoutMs !== undefined && waitedMs >= 1) headers[TIMEOUT_HEADER] = `${Math.ceil(timeoutMs - waitedMs)}m`;
    this.#begin(stream, headers, ...more);
  }
}

const nobodyElse = (): void => {};

/** In milliseconds. undefined: none, or none of gRPC's. */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
}
