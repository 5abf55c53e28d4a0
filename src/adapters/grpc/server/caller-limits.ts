import {
  constants,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import type { IpRange } from "../../../domain/access/ip-list.ts";
import { grpcStatus } from "./grpc-status.ts";
import { Intake } from "./intake.ts";
import { bareRefusal } from "./refusal-error.ts";
import { type OpenStream, Requests, type RequestTimes } from "./requests.ts";
import { STRANGER_RATES, type StrangerRates, Strangers } from "./strangers.ts";

/** What callers may cost before anybody knows who they are. */
export interface CallerLimits extends RequestTimes {
  /**
   * Connections at once; one more is closed. A connection has as long to send its HTTP/2 preface as a request has to
   * arrive.
   */
  readonly connectionsMax: number;
  /** Streams at once that are shared among the connections; see {@link limitCallers}. */
  readonly streamsMax: number;
  /** Of those, on connections over which no right key has come. */
  readonly strangersStreamsMax: number;
  readonly strangers: StrangerRates;
  /** Each of their connections is counted for itself. */
  readonly trustedProxies: readonly IpRange[];
}

/** Which calls are which. */
export interface CallKinds {
  /**
   * Whether this is the text of an `authorization` header with a right key. Asked until the first right one of a
   * connection.
   */
  readonly isRightKey: (authorization: string) => boolean;
  /** Paths of calls that need no key begin so. */
  readonly keyless: string;
  /** Paths of calls that don't wait their turn begin so; see {@link Intake}. */
  readonly ahead: string;
  /** Whether a request at this path may have several messages. */
  readonly isStream: (path: string) => boolean;
}

/**
 * SETTINGS_MAX_CONCURRENT_STREAMS of a connection over which a right key has come: a caller that has more to ask waits,
 * or opens another connection.
 */
export const STREAMS_PER_CONNECTION = 1_024;
/** And of one over which none has come. Clients may begin a hundred before they have read any settings (RFC 9113). */
const STRANGERS_STREAMS = 100;
/**
 * And of a new one from an address that may make no call without a right key now: node makes an object for each before
 * anybody can look at it.
 */
const HOSTILE_STREAMS = 8;
/** What a connection may have however many streams are open in all: enough for a health check and some calls. */
const STREAMS_LEAST = 16;
/** And what one may have over which no right key has come. */
const STRANGERS_LEAST = 8;
/**
 * Names and values of a call's headers together. A key and some hundred bytes are usual; HTTP/2 would allow 64 KiB,
 * held for as long as the call lasts.
 */
const HEADERS_MAX_BYTES = 16_384;

const DEFAULTS: CallerLimits = {
  connectionsMax: 10_000,
  streamsMax: 6_000,
  strangersStreamsMax: 512,
  requestTimeoutMs: 10_000,
  replyTimeoutMs: 30_000,
  strangers: STRANGER_RATES,
  trustedProxies: [],
};

/** A connection. */
interface Caller {
  readonly session: ServerHttp2Session;
  readonly peer: string;
  /** What its calls that show no right key are counted under. */
  name: string;
  /** A right key has come over it. */
  known: boolean;
  open: number;
}

type SocketListener = (socket: Socket) => void;
type StreamListener = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => void;

/**
 * Puts bounds and an {@link Intake} before a server's own listeners of `connection` and `stream`.
 *
 * A connection may have as many streams as are left of `streamsMax`, and {@link STREAMS_LEAST} at least. So a few busy
 * callers get all that they ask for, and many hostile ones leave room for the others. A stream too many is answered
 * with OVERLOADED.
 *
 * Before its first right key a connection has fewer streams, and its calls are counted by address; see {@link
 * Strangers}. One too many ends the connection: a refusal for each would cost more than the caller pays. On a
 * connection that has shown a right key it resets the stream alone.
 */
export function limitCallers(server: Http2Server, options: Partial<CallerLimits>, kinds: CallKinds): void {
  const limits = { ...DEFAULTS, ...options };
  const strangers = new Strangers(limits.strangers, limits.trustedProxies);
  let [open, strange] = [0, 0];
  server.maxConnections = limits.connectionsMax;
  // This tells callers alone about the headers: node holds only those to it who have acknowledged it.
  server.updateSettings({ maxHeaderListSize: HEADERS_MAX_BYTES });

  /** Connections over which a right key has come. */
  const keyHolders = new Set<string>();
  // What a session's first settings are is what the server's are when it is made: by one of these listeners, and over
  // TLS by the other.
  const [accepted, secured] = [
    take<SocketListener>(server, "connection"),
    take<SocketListener>(server, "secureConnection"),
  ];
  const goOn = (listeners: readonly SocketListener[], socket: Socket): void => {
    const maxConcurrentStreams = strangers.maySomeCall(socket.remoteAddress ?? "")
      ? STRANGERS_STREAMS
      : HOSTILE_STREAMS;
    server.updateSettings({ maxConcurrentStreams });
    for (const listener of listeners) listener.call(server, socket);
  };
  server.on("secureConnection", (socket: Socket) => goOn(secured, socket));
  server.on("connection", (socket: Socket) => {
    const [address = "", peer] = [socket.remoteAddress, peerOf(socket)];
    if (!strangers.mayConnect(address)) return void socket.destroy();
    // Of the socket, not of the session: one that never finishes its TLS handshake has none.
    socket.once("close", () => {
      if (!keyHolders.delete(peer)) strangers.left(address);
    });
    goOn(accepted, socket);
  });

  const requests = new Requests<Caller>(limits, (caller) => {
    caller.open -= 1;
    open -= 1;
    if (!caller.known) strange -= 1;
  });
  server.once("close", () => requests.stop());
  const begin = take<StreamListener>(server, "stream");
  const intake = new Intake(
    (stream: ServerHttp2Stream, headers, flags, raw, entry, caller) => {
      const path = String(headers[":path"]);
      const messages = !kinds.isStream(path) ? "one" : path.startsWith(kinds.keyless) ? "keyless" : "several";
      requests.begin(entry as OpenStream, messages, (caller as Caller).known);
      for (const listener of begin) listener.call(server, stream, headers, flags as number, raw as string[]);
      // A request without a message ended while it waited its turn, and grpc-js would wait for that for ever.
      if (stream.readableEnded) stream.emit("end");
    },
    performance.now.bind(performance),
    kinds.ahead,
  );

  const recognize = (caller: Caller, authorization: string | undefined): void => {
    if (authorization === undefined || !kinds.isRightKey(authorization)) return;
    caller.known = true;
    caller.name = strangers.nameAlone();
    keyHolders.add(caller.peer);
    strange -= caller.open;
    caller.session.settings({ maxConcurrentStreams: STREAMS_PER_CONNECTION });
  };
  const mayOpen = (caller: Caller): boolean =>
    caller.open < Math.max(STREAMS_LEAST, limits.streamsMax - open) &&
    (caller.known || caller.open < Math.max(STRANGERS_LEAST, limits.strangersStreamsMax - strange));

  const refuse = (stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void => {
    requests.add(stream, undefined);
    stream.on("error", () => {});
    stream.respond(headers, { endStream: true });
  };

  const arrived = (
    caller: Caller,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    flags: number,
    raw: string[],
  ): void => {
    if (caller.session.destroyed) return;
    if (!caller.known) recognize(caller, headers.authorization);
    // A stream that its caller has reset already counts as any other.
    if ((!caller.known || headers[":path"]?.startsWith(kinds.keyless) === true) && !strangers.mayCall(caller.name))
      return turnAway(caller, stream);
    if (stream.destroyed || stream.closed) return;
    if (bytesOf(raw) > HEADERS_MAX_BYTES) return refuse(stream, TOO_LARGE);
    if (!mayOpen(caller)) return refuse(stream, OVERLOADED);
    caller.open += 1;
    open += 1;
    if (!caller.known) strange += 1;
    intake.arrived(stream, headers, flags, raw, requests.add(stream, caller), caller);
  };

  server.on("session", (session: ServerHttp2Session) => {
    const { socket } = session;
    const caller: Caller = {
      session,
      peer: peerOf(socket),
      name: strangers.nameOf(socket.remoteAddress ?? ""),
      known: false,
      open: 0,
    };
    const silent = setTimeout(() => session.destroy(), limits.requestTimeoutMs);
    const spoke = () => clearTimeout(silent);
    session.once("remoteSettings", spoke).once("close", spoke);
    // Of the session, not of the server: so a call finds its connection without a look-up.
    session.on("stream", (stream, headers, flags, raw) => arrived(caller, stream, headers, flags, raw));
  });
}

const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string =>
  `${remoteAddress} ${remotePort}`;

/** A server's listeners of an event, which it no longer has. */
function take<L>(server: Http2Server, event: string): L[] {
  const listeners = server.listeners(event) as L[];
  server.removeAllListeners(event);
  return listeners;
}

function turnAway({ session, known }: Caller, stream: ServerHttp2Stream): void {
  if (!known) {
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    return session.destroy();
  }
  if (stream.destroyed) return;
  stream.on("error", () => {});
  stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

const headersOf = (error: ConnectError) => {
  const { code, details, metadata } = grpcStatus(error);
  return {
    ":status": 200,
    "content-type": "application/grpc+proto",
    "grpc-status": code,
    "grpc-message": encodeURI(details),
    ...metadata.toHttp2Headers(),
  };
};
const OVERLOADED = headersOf(bareRefusal("OVERLOADED"));
const TOO_LARGE = headersOf(
  new ConnectError(`the headers are over ${HEADERS_MAX_BYTES} bytes: send less metadata`, Code.ResourceExhausted),
);

function bytesOf(headers: readonly string[]): number {
  let bytes = 0;
  for (const text of headers) bytes += text.length;
  return bytes;
}
