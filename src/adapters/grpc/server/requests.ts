import { constants, type ServerHttp2Stream } from "node:http2";

/** What requests that are not complete may hold together. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;
/** Before those of callers without a right key are refused more. */
const STRANGERS_MAX_BYTES = 2 * 1024 * 1024;
/** A request as small as this is let through even then: every one of a provider is. */
const SMALL_BYTES = 4 * 1024;
/**
 * What a request with several messages may have when no key is needed for it: a reflection tool asks in some dozen
 * messages of 50 bytes.
 */
const KEYLESS_MAX_BYTES = 16 * 1024;
/** Of a message: a flag, and the length of what follows. */
const PREFIX_BYTES = 5;
/** One timer looks at all open streams so often: a timer for each call would cost more. */
const LOOK_MS = 250;
/** For the trailers of a reply to go out before the stream is ended. */
const ANSWERED_GRACE_MS = 200;

/** What a call may send: `keyless`, several messages from anybody; `several`, several from whoever has a key. */
export type Messages = "one" | "several" | "keyless";

export interface RequestTimes {
  /** From a call's beginning to its request's last byte. */
  readonly requestTimeoutMs: number;
  /** A reply of which nothing was read for so long is dropped. */
  readonly replyTimeoutMs: number;
}

/** A stream that is open. */
export interface OpenStream {
  readonly stream: ServerHttp2Stream;
  /** Of performance.now(); Infinity until the call has begun. */
  beganAt: number;
  /** When a look found it answered, although its request is not complete. */
  answeredAt: number;
  /** Of the reply, and since when it was so many. */
  unreadBytes: number;
  unreadSince: number;
  /** Of the request, so far. */
  bytes: number;
  /** Of its first message, as far as its prefix is here. */
  length: number;
  /** What of it counts as arriving. */
  held: number;
}

/**
 * Bounds what open streams hold, and ends those that don't go on. grpc-js (1.14.7) reads and unpacks each message as it
 * comes, whether or not the method takes more than one: 16 kB of empty messages become 3 000 objects, and 16 kB of
 * compressed ones 10 MB.
 */
export class Requests<Owner> {
  readonly #open = new Set<OpenStream>();
  readonly #times: RequestTimes;
  readonly #closed: (owner: Owner) => void;
  readonly #timer: NodeJS.Timeout;
  #arriving = 0;

  /** @param closed - told of each stream that has an owner, when it closes. */
  constructor(times: RequestTimes, closed: (owner: Owner) => void) {
    this.#times = times;
    this.#closed = closed;
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_MS).unref();
  }

  /** Looks no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** @param owner - undefined: the stream is refused. */
  add(stream: ServerHttp2Stream, owner: Owner | undefined): OpenStream {
    const open: OpenStream = {
      stream,
      beganAt: Number.POSITIVE_INFINITY,
      answeredAt: 0,
      unreadBytes: 0,
      unreadSince: 0,
      bytes: 0,
      length: 0,
      held: 0,
    };
    this.#open.add(open);
    stream.on("close", () => {
      this.#open.delete(open);
      this.#arriving -= open.held;
      if (owner !== undefined) this.#closed(owner);
    });
    return open;
  }

  /**
   * The request's time begins. Before any other listener of `data`: a stream that is closed here is read no further.
   */
  begin(open: OpenStream, messages: Messages, known: boolean): void {
    open.beganAt = performance.now();
    const mostBytes = known ? ARRIVING_MAX_BYTES : STRANGERS_MAX_BYTES;
    open.stream.on("data", (chunk: Buffer) => this.#read(open, chunk, messages, mostBytes));
  }

  #read(open: OpenStream, chunk: Buffer, messages: Messages, mostBytes: number): void {
    const before = open.bytes;
    open.bytes += chunk.length;
    if (messages === "keyless" && open.bytes > KEYLESS_MAX_BYTES)
      return open.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    if (messages === "one") {
      for (let at = Math.max(1, before); at < PREFIX_BYTES && at < open.bytes; at++)
        open.length = open.length * 256 + (chunk[at - before] as number);
      const lacking = PREFIX_BYTES + open.length - open.bytes;
      if (open.bytes >= PREFIX_BYTES && lacking < 0) return open.stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      if (open.bytes >= PREFIX_BYTES && lacking === 0) {
        this.#arriving -= open.held;
        open.held = 0;
        return;
      }
    }
    open.held += chunk.length;
    this.#arriving += chunk.length;
    if (this.#arriving > mostBytes && open.bytes > SMALL_BYTES) open.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #look(now: number): void {
    for (const open of this.#open) {
      const { stream } = open;
      if (!stream.readableEnded) this.#lookAtRequest(open, now);
      // The window of HTTP/2 lets a caller keep a reply for as long as the connection lives.
      if (stream.writableLength !== open.unreadBytes) {
        open.unreadBytes = stream.writableLength;
        open.unreadSince = now;
      } else if (open.unreadBytes > 0 && now - open.unreadSince >= this.#times.replyTimeoutMs)
        stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  /**
   * Ends a stream whose request does not arrive in time, and soon one that is answered before its request is complete.
   */
  #lookAtRequest(open: OpenStream, now: number): void {
    if (!open.stream.writableFinished) {
      if (now - open.beganAt >= this.#times.requestTimeoutMs) open.stream.close(constants.NGHTTP2_CANCEL);
    } else if (open.answeredAt === 0) open.answeredAt = now;
    else if (now - open.answeredAt >= ANSWERED_GRACE_MS) open.stream.close(constants.NGHTTP2_NO_ERROR);
  }
}
