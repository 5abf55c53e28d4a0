import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

/** The number of calls that begin together: a few milliseconds of work. */
const TOGETHER = 64;
const TIMEOUT_HEADER = "grpc-timeout";
/** The largest time-out that eight digits of milliseconds can write: more than a day. */
const TIMEOUT_MAX_MS = 99_999_999;
/** The units of a gRPC time-out, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = { n: 1e-6, u: 1e-3, m: 1, S: 1_000, M: 60_000, H: 3_600_000 };

type Stream = Pick<ServerHttp2Stream, "closed" | "destroyed" | "close" | "on">;

interface Arrived<S> {
  readonly stream: S;
  readonly headers: IncomingHttpHeaders;
  readonly more: readonly unknown[];
  readonly at: number;
  /** The caller's time-out from the header `grpc-timeout`; undefined: the caller has set none. */
  readonly timeoutMs: number | undefined;
}

/**
 * Begins calls a few at a time, in the order of their arrival. Other work that is ready runs in between.
 *
 * A socket delivers all bytes that it has read at once. With thousands of callers, one turn of the event loop would
 * begin thousands of calls. The running calls would wait for the new calls, and the event loop would be late. Then load
 * shedding would refuse all new calls, and their callers would all try again. So running calls go first, and new calls
 * wait here.
 */
export class Intake<S extends Stream = ServerHttp2Stream> {
  #waiting: Arrived<S>[] = [];
  #scheduled = false;
  readonly #begin: (stream: S, headers: IncomingHttpHeaders, ...more: unknown[]) => void;
  readonly #now: () => number;
  readonly #ahead: string;

  /**
   * @param now - a clock in milliseconds that never goes back.
   * @param ahead - a call whose path begins with this does not wait. Such calls are health checks, which are rare.
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

  /** A listener of the event `stream`. */
  readonly arrived = (stream: S, headers: IncomingHttpHeaders, ...more: unknown[]): void => {
    // grpc-js (1.14.7) computes with 32 bits, so a time-out of a month would have passed at once.
    const timeoutMs = timeoutOf(headers[TIMEOUT_HEADER]);
    if (timeoutMs !== undefined && timeoutMs > TIMEOUT_MAX_MS) headers[TIMEOUT_HEADER] = `${TIMEOUT_MAX_MS}m`;
    if (headers[":path"]?.toString().startsWith(this.#ahead) === true) return this.#begin(stream, headers, ...more);
    // If a caller resets a waiting stream, the stream's error would end the process, because it has no other listener
    // yet.
    stream.on("error", ignore);
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
    // The caller counts its time from the moment of sending. When this time is over, the caller no longer waits, so the
    // call is closed.
    if (timeoutMs !== undefined && timeoutMs <= waitedMs) return stream.close(constants.NGHTTP2_CANCEL);
    if (timeoutMs !== undefined && waitedMs >= 1) headers[TIMEOUT_HEADER] = `${Math.ceil(timeoutMs - waitedMs)}m`;
    this.#begin(stream, headers, ...more);
  }
}

const ignore = (): void => {};

/** A time-out header in milliseconds. undefined: there is no header, or it is malformed. */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
}
