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
import type { IpRange } from "../../../../domain/access/ip-list.ts";
import { peerOf, shareConnections } from "../../../http/connection-shares.ts";
import { grpcStatus } from "../grpc-status.ts";
import { bareRefusal } from "../refusal-error.ts";
import { Intake } from "./intake.ts";
import { type OpenStream, Requests, type RequestTimes } from "./requests.ts";
import { STRANGER_RATES, type StrangerRates, Strangers } from "./strangers.ts";

/** Limits on callers, most of them before a caller has shown a right key. */
export interface CallerLimits extends RequestTimes {
  /**
   * The maximum of open connections. A further connection is closed, and one of an address that has no share left (see
   * {@link shareConnections}). A connection that has not sent its HTTP/2 preface and settings within `requestTimeoutMs`
   * is closed. Over TLS, this time includes the handshake.
   */
  readonly connectionsMax: number;
  /** The maximum of open streams on all connections together; see {@link limitCallers}. */
  readonly streamsMax: number;
  /** The maximum of open streams on all connections that have not shown a right key. */
  readonly strangersStreamsMax: number;
  readonly strangers: StrangerRates;
  /** The addresses of trusted proxies. Each connection from a proxy is counted separately. */
  readonly trustedProxies: readonly IpRange[];
}

/** The rules by which {@link limitCallers} recognises the kinds of calls. */
export interface CallKinds {
  /**
   * Whether an `authorization` header has a right key. It is called for each call of a connection until the first right
   * key.
   */
  readonly isRightKey: (authorization: string) => boolean;
  /**
   * Reads the keys again, because a key may be newer than the keys in memory. With this, the message of a call without a
   * right key is not read.
   */
  readonly readAgain?: (() => Promise<unknown>) | undefined;
  /** The path of a call that needs no key begins with this. */
  readonly keyless: string;
  /** The path of a call that does not wait in the {@link Intake} begins with this. */
  readonly ahead: string;
  /** Whether a request to this path may have several messages. */
  readonly isStream: (path: string) => boolean;
}

/**
 * SETTINGS_MAX_CONCURRENT_STREAMS of a connection that has shown a right key. A caller that needs more calls at once
 * waits, or opens another connection.
 */
export const STREAMS_PER_CONNECTION = 1_024;
/**
 * SETTINGS_MAX_CONCURRENT_STREAMS of a connection that has not shown a right key. Clients may open a hundred streams
 * before they have read any settings (RFC 9113).
 */
const STRANGERS_STREAMS = 100;
/**
 * SETTINGS_MAX_CONCURRENT_STREAMS of a new connection from an address that has used up its calls without a right key.
 * It is small because Node creates an object for each stream before this code can refuse the stream.
 */
const HOSTILE_STREAMS = 8;
/** The number of streams that a connection may always have: enough for a health check and some calls. */
const STREAMS_LEAST = 16;
/** The number of streams that a connection without a right key may always have. */
const STRANGERS_LEAST = 8;
/**
 * The maximum size of a call's headers, names and values together. Usual headers are a key and some hundred bytes.
 * HTTP/2 would allow 64 KiB, which stay in memory until the call ends.
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

/** A connection with its counts. */
interface Caller {
  readonly session: ServerHttp2Session;
  readonly peer: string;
  /** The name under which the connection's calls without a right key are counted. */
  name: string;
  /** Whether the connection has shown a right key. */
  known: boolean;
  open: number;
}

type SocketListener = (socket: Socket) => void;
type StreamListener = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => void;

/**
 * Puts limits and an {@link Intake} before a server's own listeners of `connection` and `stream`.
 *
 * A connection may have as many streams as are left of `streamsMax`, but always {@link STREAMS_LEAST}. So a few busy
 * callers get all the streams that they need, and many hostile callers cannot take all streams. A stream above the
 * limit gets the answer OVERLOADED.
 *
 * A connection that has not shown a right key has fewer streams, and its calls are counted by address (see {@link
 * Strangers}). A call above that limit ends the connection, because a refusal for each call would cost the server more
 * than the caller. On a connection that has shown a right key only the stream is reset.
 */
export function limitCallers(server: Http2Server, options: Partial<CallerLimits>, kinds: CallKinds): void {
  const limits = { ...DEFAULTS, ...options };
  const strangers = new Strangers(limits.strangers, limits.trustedProxies);
  let [open, strange] = [0, 0];
  // This only tells callers the limit. Node enforces the limit after the caller has acknowledged this message.
  server.updateSettings({ maxHeaderListSize: HEADERS_MAX_BYTES });

  /** The connections that have shown a right key. */
  const keyHolders = new Set<string>();
  /** The connections that have not sent their settings yet. */
  const silent = new Map<string, { end: () => void; readonly timer: NodeJS.Timeout }>();
  // One of these listeners creates the session (the second listener over TLS). A session starts with the settings that
  // the server has at that moment, so the settings are changed just before that.
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
    const timer = setTimeout(() => silent.get(peer)?.end(), limits.requestTimeoutMs);
    silent.set(peer, { end: () => socket.destroy(), timer });
    // This listener is on the socket, because a connection that never finishes its TLS handshake has no session.
    socket.once("close", () => {
      clearTimeout(timer);
      silent.delete(peer);
      if (!keyHolders.delete(peer)) strangers.left(address);
    });
    goOn(accepted, socket);
  });
  const shares = shareConnections(server, limits.connectionsMax, limits.trustedProxies);

  const requests = new Requests<Caller>(limits, (caller) => {
    caller.open -= 1;
    open -= 1;
    if (!caller.known) strange -= 1;
  });
  server.once("close", () => requests.stop());
  const begin = take<StreamListener>(server, "stream");
  const intake = new Intake(
    (stream: ServerHttp2Stream, headers, flags, raw, entry) => {
      requests.begin(entry as OpenStream);
      for (const listener of begin) listener.call(server, stream, headers, flags as number, raw as string[]);
      // A request without a message has ended while it waited in the intake. Without this event grpc-js would wait for
      // the request's end for ever.
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
    shares.recognize(caller.session.socket);
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
    const path = String(headers[":path"]);
    const isKeyless = path.startsWith(kinds.keyless);
    // A stream counts even if its caller has already reset it.
    if ((!caller.known || isKeyless) && !strangers.mayCall(caller.name)) return turnAway(caller, stream);
    if (stream.destroyed || stream.closed) return;
    if (bytesOf(raw) > HEADERS_MAX_BYTES) return refuse(stream, TOO_LARGE);
    if (!mayOpen(caller)) return refuse(stream, OVERLOADED);
    caller.open += 1;
    open += 1;
    if (!caller.known) strange += 1;
    const messages = !kinds.isStream(path) ? "one" : isKeyless ? "keyless" : "several";
    const entry = requests.add(stream, caller, messages, caller.known);
    const begins = () => intake.arrived(stream, headers, flags, raw, entry);
    if (caller.known || isKeyless || kinds.readAgain === undefined) return begins();
    // If a caller resets a stream that waits, the stream's error would end the process.
    stream.on("error", () => {});
    void decide(caller, headers, entry).then(begins);
  };

  /** Decides by the headers of a call without a right key whether its message is read. */
  const decide = async (caller: Caller, headers: IncomingHttpHeaders, entry: OpenStream): Promise<void> => {
    requests.wait(entry);
    if (headers.authorization !== undefined) {
      await kinds.readAgain?.();
      if (!caller.known) recognize(caller, headers.authorization);
    }
    if (caller.known && kinds.isRightKey(headers.authorization ?? "")) return requests.release(entry);
    // The key must not become right before the method checks it, because the method gets an empty message.
    delete headers.authorization;
    requests.releaseEmpty(entry);
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
    const silence = silent.get(caller.peer);
    if (silence !== undefined) silence.end = () => session.destroy();
    session.once("remoteSettings", () => clearTimeout(silence?.timer));
    // This listener is on the session, so that a call finds its connection without a look-up.
    session.on("stream", (stream, headers, flags, raw) => arrived(caller, stream, headers, flags, raw));
  });
}

/** Removes a server's listeners for an event, and returns these listeners. */
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
