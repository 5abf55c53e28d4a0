import { constants, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { grpcStatus } from "./grpc-status.ts";
import { Intake } from "./intake.ts";
import { Quota } from "./quota.ts";
import { bareRefusal } from "./refusal-error.ts";
import { Requests } from "./requests.ts";

/** What callers may cost before anybody knows who they are. */
export interface CallerLimits {
  /** Connections at once; one more is closed. */
  readonly connectionsMax: number;
  /** Streams at once that are shared among the connections; see {@link limitCallers}. */
  readonly streamsMax: number;
  /** From a call's first byte to its request's last, whatever deadline it has; and from a connection's opening to its HTTP/2 preface. */
  readonly requestTimeoutMs: number;
  /** A reply of which nothing was read between two looks, so far apart, is dropped. */
  readonly replyTimeoutMs: number;
}

/** SETTINGS_MAX_CONCURRENT_STREAMS: a caller that has more to ask waits, or opens another connection. */
export const STREAMS_PER_CONNECTION = 1_024;
/** What a connection may have however many streams are open in all: enough for a health check and some calls. */
const STREAMS_LEAST = 16;
/** Names and values of a call's headers together. A key and some hundred bytes are usual; HTTP/2 would allow 64 KiB, held for as long as the call lasts. */
const HEADERS_MAX_BYTES = 16_384;
/** For the trailers of a reply to go out before the stream is ended. */
const ANSWERED_GRACE_MS = 200;

const DEFAULTS: CallerLimits = { connectionsMax: 10_000, streamsMax: 6_000, requestTimeoutMs: 10_000, replyTimeoutMs: 30_000 };

type Listener = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => void;

/**
 * Puts bounds and an {@link Intake} before a server's own listeners of `stream`.
 *
 * A connection may have as many streams as are left of `streamsMax`, and {@link STREAMS_LEAST} at least. So a few busy callers get all that they
 * ask for, and many hostile ones leave room for the others. A stream too many is answered with OVERLOADED.
 *
 * @param ahead - calls whose path begins so don't wait their turn; see {@link Intake}.
 * @param isStream - whether a request at this path may have several messages.
 */
export function limitCallers(server: Http2Server, options: Partial<CallerLimits>, ahead: string, isStream: (path: string) => boolean): void {
  const { connectionsMax, streamsMax, requestTimeoutMs, replyTimeoutMs } = { ...DEFAULTS, ...options };
  server.maxConnections = connectionsMax;
  // This tells callers alone: node holds only those to it who have acknowledged it.
  server.updateSettings({ maxHeaderListSize: HEADERS_MAX_BYTES });
  server.on("session", (session: ServerHttp2Session) => {
    const silent = setTimeout(() => session.destroy(), requestTimeoutMs);
    const spoke = () => clearTimeout(silent);
    session.once("remoteSettings", spoke).once("close", spoke);
  });

  const requests = new Requests();
  const listeners = server.listeners("stream") as Listener[];
  const intake = new Intake(
    (stream: ServerHttp2Stream, headers, ...more) => {
      dropHalfOpen(stream, requestTimeoutMs);
      requests.watch(stream, isStream(String(headers[":path"])));
      for (const listener of listeners) listener.call(server, stream, headers, ...(more as [number, string[]]));
    },
    performance.now.bind(performance),
    ahead,
  );
  const open = new Set<ServerHttp2Stream>();
  const streams = new Quota<ServerHttp2Session>((count) => Math.max(STREAMS_LEAST, streamsMax - count));
  server.removeAllListeners("stream");
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => {
    const { session } = stream;
    if (stream.destroyed || session === undefined) return;
    if (bytesOf(raw) > HEADERS_MAX_BYTES) return refuse(stream, requestTimeoutMs, tooLarge);
    if (!streams.enter(session as ServerHttp2Session)) return refuse(stream, requestTimeoutMs, bareRefusal("OVERLOADED"));
    open.add(stream);
    stream.once("close", () => {
      open.delete(stream);
      streams.leave(session as ServerHttp2Session);
    });
    intake.arrived(stream, headers, flags, raw);
  });
  dropUnread(server, open, replyTimeoutMs);
}

/** Ends a stream whose request does not arrive in time, and soon one that is answered before its request is complete. */
function dropHalfOpen(stream: ServerHttp2Stream, requestTimeoutMs: number): void {
  const drop = (code: number) => () => stream.close(code);
  let late: NodeJS.Timeout | undefined = setTimeout(drop(constants.NGHTTP2_CANCEL), requestTimeoutMs);
  const arrived = () => {
    clearTimeout(late);
    late = undefined;
  };
  stream.once("end", arrived).once("close", arrived);
  stream.once("finish", () => {
    if (late === undefined) return;
    clearTimeout(late);
    late = setTimeout(drop(constants.NGHTTP2_NO_ERROR), ANSWERED_GRACE_MS);
  });
}

/** Ends streams whose callers don't read their replies: the window of HTTP/2 lets them keep one for as long as the connection lives. */
function dropUnread(server: Http2Server, open: ReadonlySet<ServerHttp2Stream>, replyTimeoutMs: number): void {
  let unread = new Map<ServerHttp2Stream, number>();
  const look = () => {
    const before = unread;
    unread = new Map([...open].filter((stream) => stream.writableLength > 0).map((stream) => [stream, stream.writableLength]));
    for (const [stream, bytes] of unread) if (before.get(stream) === bytes) stream.close(constants.NGHTTP2_CANCEL);
  };
  const timer = setInterval(look, replyTimeoutMs).unref();
  server.once("close", () => clearInterval(timer));
}

const tooLarge = Object.freeze(new ConnectError(`the headers are over ${HEADERS_MAX_BYTES} bytes: send less metadata`, Code.ResourceExhausted));

function bytesOf(headers: readonly string[]): number {
  let bytes = 0;
  for (const text of headers) bytes += text.length;
  return bytes;
}

function refuse(stream: ServerHttp2Stream, requestTimeoutMs: number, error: ConnectError): void {
  const { code, details, metadata } = grpcStatus(error);
  stream.on("error", () => {});
  dropHalfOpen(stream, requestTimeoutMs);
  stream.respond(
    { ":status": 200, "content-type": "application/grpc+proto", "grpc-status": code, "grpc-message": encodeURI(details), ...metadata.toHttp2Headers() },
    { endStream: true },
  );
}
