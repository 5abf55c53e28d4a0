import { connect, type Socket } from "node:net";
import { ERRORS } from "../../src/domain/errors.ts";
import { type Call, SUCCESS, TIMED_OUT } from "./call.ts";
import { DEADLINE_MS } from "./grpc-provider.ts";
import {
  FIRST_WINDOW,
  FLAG,
  FRAME,
  type Frame,
  FrameReader,
  frame,
  headerBlock,
  huffman,
  LARGEST_WINDOW,
  PREFACE,
  SETTING,
  settings,
  windowUpdate,
} from "./http2-frames.ts";
import type { Target } from "./orders.ts";
import { outcomeOf, type Play, Plays } from "./plays.ts";

const SWEEP_MS = 100;
const RECONNECT_MS = 100;
const MESSAGE_HEAD_BYTES = 5;
const ERROR_CODES = Object.keys(ERRORS).map((code) => ({ code, bytes: huffman(code) }));

/**
 * A provider that needs a tenth of grpc-js' CPU time for a call, so that one core can send ten times as many calls as a
 * service can serve. It respects the server's limits for concurrent streams and unread bytes. A call without a free
 * stream waits for one until its deadline, as with any gRPC client.
 */
export function leanProvider(target: Target & { protocol: "grpc" }): Call {
  const plays = new Plays(target);
  const connections = Array.from({ length: target.connections }, () => new Connection(target));
  let n = 0;
  return (done) => {
    const play = plays.next();
    const connection = connections[n++ % connections.length] as Connection;
    const send = (one: Play): void =>
      connection.call(one, (outcome) =>
        one.then !== undefined && outcome === SUCCESS ? send(one.then) : done(plays.ended(one, outcome)),
      );
    send(play);
  };
}

interface Pending {
  readonly play: Play;
  readonly until: number;
  readonly end: (outcome: string) => void;
  reply: Buffer | undefined;
}

class Connection {
  #socket: Socket;
  #frames = new FrameReader();
  readonly #headers = new Map<string, Buffer>();
  readonly #outcomes = new Map<string, string>();
  readonly #target: Target & { protocol: "grpc" };
  /** The calls in order of arrival. Calls before `#next` already have a stream. The other calls wait for a stream. */
  #waiting: Pending[] = [];
  #next = 0;
  readonly #streams = new Map<number, Pending>();
  #lastStream = -1;
  #streamsMax = 0;
  #window = FIRST_WINDOW;
  #received = 0;
  #out: Buffer[] = [];

  constructor(target: Target & { protocol: "grpc" }) {
    this.#target = target;
    this.#socket = this.#connect();
    setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #connect(): Socket {
    const [host = "", port = ""] = this.#target.address.split(":");
    const socket = connect({ host, port: Number(port), noDelay: true });
    // A table size of 0 makes each header block of the server independent.
    const wanted = settings([
      [SETTING.headerTableSize, 0],
      [SETTING.initialWindowSize, LARGEST_WINDOW],
    ]);
    socket.write(Buffer.concat([PREFACE, wanted, windowUpdate(0, LARGEST_WINDOW - FIRST_WINDOW)]));
    socket.on("data", (chunk: Buffer) => {
      for (const one of this.#frames.read(chunk)) this.#hear(one);
      this.#send();
    });
    socket.on("error", () => {}).on("close", () => this.#lost());
    return socket;
  }

  call(play: Play, end: Pending["end"]): void {
    this.#waiting.push({ play, end, until: performance.now() + DEADLINE_MS, reply: undefined });
    if (this.#out.length === 0) queueMicrotask(() => this.#send());
  }

  #send(): void {
    while (this.#streams.size < this.#streamsMax && this.#next < this.#waiting.length) {
      const pending = this.#waiting[this.#next] as Pending;
      const { request, path } = pending.play;
      const message = Buffer.allocUnsafe(MESSAGE_HEAD_BYTES + request.length);
      message[0] = 0;
      message.writeUInt32BE(request.length, 1);
      message.set(request, MESSAGE_HEAD_BYTES);
      if (message.length > this.#window) break;
      this.#window -= message.length;
      this.#next += 1;
      this.#lastStream += 2;
      this.#streams.set(this.#lastStream, pending);
      this.#out.push(
        frame(FRAME.headers, FLAG.endHeaders, this.#lastStream, this.#block(path)),
        frame(FRAME.data, FLAG.endStream, this.#lastStream, message),
      );
    }
    if (this.#next > 4_096) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    if (this.#out.length > 0 && !this.#socket.destroyed) this.#socket.write(Buffer.concat(this.#out));
    this.#out = [];
  }

  #block(path: string): Buffer {
    const known = this.#headers.get(path);
    if (known !== undefined) return known;
    const block = headerBlock([
      [":method", "POST"],
      [":scheme", "http"],
      [":path", path],
      [":authority", this.#target.address],
      ["te", "trailers"],
      ["content-type", "application/grpc"],
      ["grpc-timeout", `${DEADLINE_MS}m`],
      ["authorization", `Bearer ${this.#target.apiKey}`],
    ]);
    this.#headers.set(path, block);
    return block;
  }

  #hear({ type, flags, stream, payload }: Frame): void {
    if (type === FRAME.data) {
      const pending = this.#streams.get(stream);
      if (pending !== undefined)
        pending.reply = pending.reply === undefined ? Buffer.from(payload) : Buffer.concat([pending.reply, payload]);
      this.#received += payload.length;
      if (this.#received > LARGEST_WINDOW / 2) {
        this.#out.push(windowUpdate(0, this.#received));
        this.#received = 0;
      }
    }
    if ((type === FRAME.headers || type === FRAME.data) && (flags & FLAG.endStream) !== 0) this.#ended(stream, payload);
    else if (type === FRAME.reset) this.#end(stream, `reset ${payload.readUInt32BE(0)}`);
    else if (type === FRAME.windowUpdate && stream === 0) this.#window += payload.readUInt32BE(0);
    else if (type === FRAME.ping && (flags & FLAG.ack) === 0) this.#out.push(frame(FRAME.ping, FLAG.ack, 0, payload));
    else if (type === FRAME.settings && (flags & FLAG.ack) === 0) this.#settle(payload);
  }

  #settle(payload: Buffer): void {
    this.#streamsMax = Number.POSITIVE_INFINITY;
    for (let at = 0; at + 6 <= payload.length; at += 6)
      if (payload.readUInt16BE(at) === SETTING.maxConcurrentStreams) this.#streamsMax = payload.readUInt32BE(at + 2);
    this.#out.push(frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(0)));
  }

  #ended(stream: number, trailers: Buffer): void {
    const reply = this.#streams.get(stream)?.reply;
    this.#end(stream, reply === undefined ? this.#faultOf(trailers) : outcomeOf(reply.subarray(MESSAGE_HEAD_BYTES)));
  }

  /** Blocks with the same error have the same bytes. */
  #faultOf(trailers: Buffer): string {
    const key = trailers.toString("latin1");
    let outcome = this.#outcomes.get(key);
    if (outcome === undefined) {
      outcome = ERROR_CODES.find(({ bytes }) => trailers.includes(bytes))?.code ?? "gRPC error";
      if (this.#outcomes.size < 1_000) this.#outcomes.set(key, outcome);
    }
    return outcome;
  }

  #end(stream: number, outcome: string): void {
    const pending = this.#streams.get(stream);
    if (pending === undefined) return;
    this.#streams.delete(stream);
    pending.end(outcome);
  }

  /** Ends all calls whose deadline is over. Both lists are sorted by deadline. */
  #sweep(): void {
    const now = performance.now();
    for (; this.#next < this.#waiting.length && (this.#waiting[this.#next] as Pending).until < now; this.#next++)
      (this.#waiting[this.#next] as Pending).end("no stream in time");
    const cancelled = Buffer.alloc(4);
    cancelled.writeUInt32BE(8);
    for (const [stream, { until }] of this.#streams) {
      if (until >= now) break;
      this.#out.push(frame(FRAME.reset, 0, stream, cancelled));
      this.#end(stream, TIMED_OUT);
    }
    this.#send();
  }

  /**
   * Handles a lost connection like any client: a call in flight may have been executed, and a waiting call is sent over
   * the next connection. A server closes a connection that resets too many streams.
   */
  #lost(): void {
    const lost = [...this.#streams.values()];
    this.#streams.clear();
    [this.#streamsMax, this.#window, this.#lastStream, this.#received] = [0, FIRST_WINDOW, -1, 0];
    [this.#frames, this.#out] = [new FrameReader(), []];
    for (const pending of lost) pending.end("connection lost");
    setTimeout(() => {
      this.#socket = this.#connect();
    }, RECONNECT_MS).unref();
  }
}
