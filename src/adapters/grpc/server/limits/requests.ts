import { EventEmitter } from "node:events";
import { constants, type ServerHttp2Stream } from "node:http2";

/** The memory that all incomplete requests together may use. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;
/** If all incomplete requests together use more than this, requests of callers without a right key are refused. */
const STRANGERS_MAX_BYTES = 2 * 1024 * 1024;
/** A request up to this size is accepted even above these limits. Every request of a provider is that small. */
const SMALL_BYTES = 4 * 1024;
/**
 * The maximum size of a request with several messages that needs no key. A reflection tool sends a few dozen messages
 * of 50 bytes.
 */
const KEYLESS_MAX_BYTES = 16 * 1024;
/** The size of the prefix of a message: a flag, and the length of the message. */
const PREFIX_BYTES = 5;
/** One timer checks all open streams at this interval. A timer for each call would cost more. */
const LOOK_MS = 250;
/** The trailers of a reply have this much time to be sent before the stream is ended. */
const ANSWERED_GRACE_MS = 200;

/**
 * How many messages the request of a call may have. `one`: exactly one. `several`: any number, and the call needs a
 * key. `keyless`: any number, and the call needs no key.
 */
export type Messages = "one" | "several" | "keyless";

export interface RequestTimes {
  /** The longest time from the beginning of a call to the last byte of its request. */
  readonly requestTimeoutMs: number;
  /** A reply is abandoned if the caller has read nothing of it for this time. */
  readonly replyTimeoutMs: number;
}

/** A stream that is open. */
export interface OpenStream {
  readonly stream: ServerHttp2Stream;
  /** When the request began, by performance.now(). Infinity: it has not begun yet. */
  beganAt: number;
  /**
   * When a check first found that the stream is answered although its request is incomplete. 0: no check has found
   * this.
   */
  answeredAt: number;
  /** The number of bytes of the reply that wait to be sent, and since when this number has not changed. */
  unreadBytes: number;
  unreadSince: number;
  /** The number of bytes of the request that have arrived. */
  bytes: number;
  /** The length of the first message, as far as its prefix has arrived. */
  length: number;
  /** The number of bytes that this stream adds to the sum of all incomplete requests. */
  held: number;
}

/**
 * Limits the memory of open streams, and ends streams that make no progress. grpc-js (1.14.7) decodes each message when
 * it arrives, even if the method accepts only one message. So 16 kB of empty messages become 3 000 objects, and 16 kB
 * of compressed messages become 10 MB.
 */
export class Requests<Owner> {
  readonly #open = new Set<OpenStream>();
  readonly #times: RequestTimes;
  readonly #closed: (owner: Owner) => void;
  readonly #timer: NodeJS.Timeout;
  #arriving = 0;

  /** @param closed - called when a stream with an owner closes. */
  constructor(times: RequestTimes, closed: (owner: Owner) => void) {
    this.#times = times;
    this.#closed = closed;
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_MS).unref();
  }

  /** Stops the timer. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** @param owner - the connection whose streams are counted; undefined: the stream is refused and not counted. */
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
      forget(stream);
      this.#open.delete(open);
      this.#arriving -= open.held;
      if (owner !== undefined) this.#closed(owner);
    });
    return open;
  }

  /**
   * Starts the time limit of a request. Call this before other listeners of `data` are added. Then these listeners read
   * nothing more of a stream that is closed here.
   *
   * @param known - whether the connection has shown a right key.
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
      // HTTP/2's flow control allows that a caller leaves a reply unread for as long as the connection lives.
      if (stream.writableLength !== open.unreadBytes) {
        open.unreadBytes = stream.writableLength;
        open.unreadSince = now;
      } else if (open.unreadBytes > 0 && now - open.unreadSince >= this.#times.replyTimeoutMs)
        stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  /**
   * Ends a stream whose request does not arrive in time. If a stream is answered before its request is complete, it is
   * ended soon.
   */
  #lookAtRequest(open: OpenStream, now: number): void {
    if (!open.stream.writableFinished) {
      if (now - open.beganAt >= this.#times.requestTimeoutMs) open.stream.close(constants.NGHTTP2_CANCEL);
    } else if (open.answeredAt === 0) open.answeredAt = now;
    else if (now - open.answeredAt >= ANSWERED_GRACE_MS) open.stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

/**
 * Removes a closed stream's listeners, which refer to the whole call. The other listeners of this `close` still run.
 *
 * Without this, most ended calls would stay in memory until the next major garbage collection, whose pause then grows
 * to some 70 ms. The constructor of a Writable's state contains `this.onwrite = (er) => onwrite(stream, er)`. V8
 * allocates a function that is assigned to a property in its old generation at once. There even an unused function keeps
 * its stream, and the stream everything that it refers to.
 */
function forget(stream: ServerHttp2Stream): void {
  // A Readable's own method would also examine the stream in the next tick.
  const removeAll = EventEmitter.prototype.removeAllListeners;
  // Node listens for the removal of listeners. Without this listener all others are removed at once, which is 2 us faster.
  removeAll.call(stream, "removeListener");
  removeAll.call(stream);
  // An error after `close` must not end the process.
  stream.on("error", ignore);
}

const ignore = (): void => {};
