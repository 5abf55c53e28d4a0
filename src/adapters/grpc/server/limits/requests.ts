import { EventEmitter } from "node:events";
import { constants, type ServerHttp2Stream } from "node:http2";
import { Readable } from "node:stream";
import { GrowingBuffer } from "../../../http/growing-buffer.ts";
import { hasTooManyPieces } from "../../../http/pieces.ts";

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
/** The longest message. grpc-js refuses a longer one as soon as it has read the prefix. */
export const MESSAGE_MAX_BYTES = 64 * 1024;
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
  /** Takes a piece of the request; null: the request has ended. false: the caller should send nothing more. */
  readonly arrived: (open: OpenStream, chunk: Buffer | null) => boolean;
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
  readonly messages: Messages;
  /** The memory that all incomplete requests together may use when more of this one arrives. */
  readonly mostBytes: number;
  /** The number of DATA frames and of bytes of the request that have arrived. */
  pieces: number;
  bytes: number;
  /** The only message of the request, as far as it has arrived; undefined: it came in one piece, or none has come. */
  message: GrowingBuffer | undefined;
  /** Whether nothing is given to grpc-js yet, and whether the request has ended meanwhile. */
  waits: boolean;
  ended: boolean;
  /** Whether the rest of the request is thrown away. */
  dropped: boolean;
  /** The length of the first message, as far as its prefix has arrived. */
  length: number;
  /** The number of bytes that this stream adds to the sum of all incomplete requests. */
  held: number;
}

const OPEN = Symbol("the open stream");

/**
 * Takes the place of a stream's own `push`, which Node calls for each DATA frame, also before anything reads the stream.
 * All streams have the same function, because a function for each call would cost more.
 */
function push(this: ServerHttp2Stream & { readonly [OPEN]: OpenStream }, chunk: Buffer | null): boolean {
  return this[OPEN].arrived(this[OPEN], chunk);
}

/** Gives bytes to the readers of a stream. */
const pass = (stream: ServerHttp2Stream, chunk: Buffer | null): boolean => Readable.prototype.push.call(stream, chunk);

/**
 * Limits the memory of open streams, and ends streams that make no progress. grpc-js (1.14.7) decodes each message when
 * it arrives, even if the method accepts only one message. So 16 kB of empty messages become 3 000 objects, and 16 kB
 * of compressed messages become 10 MB. It also keeps each piece of an incomplete message. So here the only message of a
 * request is collected in one buffer, and grpc-js gets it in one piece.
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

  /**
   * Counts a stream and limits its request, from the first DATA frame on.
   *
   * @param owner - the connection whose streams are counted; undefined: the stream is refused and not counted.
   * @param known - whether the connection has shown a right key.
   */
  add(stream: ServerHttp2Stream, owner: Owner | undefined, messages: Messages = "one", known = false): OpenStream {
    const open: OpenStream = {
      stream,
      arrived: this.#arrived,
      messages,
      mostBytes: known ? ARRIVING_MAX_BYTES : STRANGERS_MAX_BYTES,
      beganAt: Number.POSITIVE_INFINITY,
      answeredAt: 0,
      unreadBytes: 0,
      unreadSince: 0,
      pieces: 0,
      bytes: 0,
      length: 0,
      message: undefined,
      waits: false,
      ended: false,
      dropped: owner === undefined,
      held: 0,
    };
    this.#open.add(open);
    Object.assign(stream, { [OPEN]: open, push });
    stream.on("close", () => {
      forget(stream);
      this.#open.delete(open);
      this.#arriving -= open.held;
      open.message = undefined;
      if (owner !== undefined) this.#closed(owner);
    });
    return open;
  }

  /** Starts the time limit of a request. */
  begin(open: OpenStream): void {
    open.beganAt = performance.now();
  }

  /** Collects what arrives, until {@link release}. */
  wait(open: OpenStream): void {
    open.waits = true;
  }

  /** Gives grpc-js the request, as far as it has arrived. */
  release(open: OpenStream): void {
    open.waits = false;
    if (open.messages !== "one" || PREFIX_BYTES + open.length <= open.bytes || open.ended) this.#complete(open);
    if (open.ended) pass(open.stream, null);
  }

  /**
   * Throws the request away, and gives grpc-js an empty message in its place. So the method is called without the
   * caller's message. Call this only for a caller that every method refuses.
   */
  releaseEmpty(open: OpenStream): void {
    open.waits = false;
    this.#drop(open);
    if (open.stream.destroyed) return;
    pass(open.stream, EMPTY_MESSAGE);
    pass(open.stream, null);
  }

  readonly #arrived = (open: OpenStream, chunk: Buffer | null): boolean => {
    if (chunk === null) return this.#ended(open);
    open.pieces += 1;
    open.bytes += chunk.length;
    // The pieces of a request that is thrown away cost time, too.
    if (hasTooManyPieces(open.pieces, open.bytes)) return this.#refuseFlood(open);
    if (open.dropped) return true;
    if (open.messages === "keyless" && open.bytes > KEYLESS_MAX_BYTES)
      return this.#refuse(open, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    return open.messages === "one" ? this.#oneMessage(open, chunk) : this.#severalMessages(open, chunk);
  };

  #ended(open: OpenStream): boolean {
    open.ended = true;
    if (open.waits) return true;
    this.#complete(open);
    return pass(open.stream, null);
  }

  /** A request with one message. It is collected until it is complete. */
  #oneMessage(open: OpenStream, chunk: Buffer): boolean {
    const before = open.bytes - chunk.length;
    for (let at = Math.max(1, before); at < PREFIX_BYTES && at < open.bytes; at++)
      open.length = open.length * 256 + (chunk[at - before] as number);
    const lacking = open.bytes < PREFIX_BYTES ? 1 : PREFIX_BYTES + open.length - open.bytes;
    if (lacking < 0) return this.#refuse(open, constants.NGHTTP2_PROTOCOL_ERROR);
    // Nearly every message comes in one piece.
    if (lacking === 0 && before === 0 && !open.waits) return pass(open.stream, chunk);
    if (!this.#hold(open, chunk) || !this.#collect(open, chunk)) return false;
    // A message that is too long is passed to grpc-js at once, which then answers by its length.
    const isTooLong = open.bytes >= PREFIX_BYTES && open.length > MESSAGE_MAX_BYTES;
    if ((lacking === 0 || isTooLong) && !open.waits) this.#complete(open);
    if (isTooLong) open.dropped = true;
    return true;
  }

  /** A request with several messages. grpc-js decodes each as soon as it is complete. */
  #severalMessages(open: OpenStream, chunk: Buffer): boolean {
    if (!this.#hold(open, chunk)) return false;
    return open.waits ? this.#collect(open, chunk) : pass(open.stream, chunk);
  }

  /** Adds a piece to those that grpc-js has not got. false: there are too many bytes, and the stream was ended. */
  #collect(open: OpenStream, chunk: Buffer): boolean {
    open.message ??= new GrowingBuffer(PREFIX_BYTES + MESSAGE_MAX_BYTES);
    return open.message.add(chunk) || this.#refuse(open, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  /** Counts the memory of a piece. false: there is no room, and the stream was ended. */
  #hold(open: OpenStream, { length }: Buffer): boolean {
    open.held += length;
    this.#arriving += length;
    if (this.#arriving <= open.mostBytes || open.bytes <= SMALL_BYTES) return true;
    this.#refuse(open, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    return false;
  }

  /** Gives grpc-js what has been collected. */
  #complete(open: OpenStream): void {
    const { message } = open;
    open.message = undefined;
    if (open.messages === "one") {
      this.#arriving -= open.held;
      open.held = 0;
    }
    if (message !== undefined) pass(open.stream, message.bytes);
  }

  #refuse(open: OpenStream, code: number): boolean {
    this.#drop(open);
    open.stream.close(code);
    return false;
  }

  /**
   * Refuses a request in too many pieces. Each further frame of the connection would cost time, also one of a stream that
   * is reset. So the connection of a caller without a right key is ended.
   */
  #refuseFlood(open: OpenStream): boolean {
    const { session } = open.stream;
    if (open.mostBytes === STRANGERS_MAX_BYTES && session !== undefined) {
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      session.destroy();
    }
    return this.#refuse(open, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #drop(open: OpenStream): void {
    open.dropped = true;
    open.message = undefined;
    this.#arriving -= open.held;
    open.held = 0;
  }

  #look(now: number): void {
    for (const open of this.#open) {
      const { stream } = open;
      if (!stream.readableEnded || open.dropped) this.#lookAtRequest(open, now);
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

const EMPTY_MESSAGE = Buffer.alloc(PREFIX_BYTES);
