import type { SilenceCause } from "../../../../contract/wallet/results.ts";

/** The bytes are no valid reply, or it is unclear where the reply ends. `fault` is the cause for the attempt log. */
export class BrokenReply extends Error {
  override readonly name = "BrokenReply";
  readonly fault: SilenceCause;

  constructor(message: string, fault: SilenceCause = "connect") {
    super(message);
    this.fault = fault;
  }
}

/** Gets the parts of a reply in their order. */
export interface ReplySink {
  /** The head of a reply, or of an interim reply (1xx) before it. `coding` is its Content-Encoding. */
  head(status: number, coding: string | undefined): void;
  /** A part of the body, which is a part of the bytes that were read. */
  data(piece: Buffer): void;
}

/** The longest line of a head, of a chunk's size or of a trailer, in bytes without its end. */
const LINE_BYTES_MAX = 16_384;
/** The names and values of one head, or of the trailers, must have fewer bytes together. */
const FIELDS_BYTES_MAX = 16_384;
const LF = 10;

// The states. In all states up to LINES a whole line is read at once.
const [STATUS, FIELD, CHUNK_SIZE, CHUNK_END, TRAILER, LINES, BODY, CHUNK, UNTIL_CLOSE, DONE] = [
  0, 1, 2, 3, 4, 4, 5, 6, 7, 8,
] as const;

/**
 * Reads the reply to one POST from bytes in any pieces, strictly by RFC 9112: a pure state machine without a socket.
 * What RFC 9112 lets a client repair is refused here, because two programs that repair it differently would disagree
 * about the end of a reply.
 */
export class ReplyReader {
  #state: number = STATUS;
  /** The beginning of a line whose end has not come. */
  #line = "";
  /** The bytes of the body, or of the chunk, that have not come. */
  #left = 0;
  #status = 0;
  #is10 = false;
  #fieldBytes = 0;
  #length: number | undefined;
  #chunked = false;
  #connection = "";
  #keepAlive = "";
  #coding: string | undefined;
  #persistent = false;

  /**
   * Whether the connection may carry another request after this reply, and for how long it may be idle, in
   * milliseconds. `undefined`: the server offered no time.
   */
  get persistent(): boolean {
    return this.#persistent;
  }
  get idleMs(): number | undefined {
    const [, seconds] = /timeout=(\d{1,9})/.exec(this.#keepAlive) ?? [];
    return seconds === undefined ? undefined : Number(seconds) * 1_000;
  }

  /** Call it before each request. */
  reset(): void {
    this.#state = STATUS;
    this.#line = "";
    this.#persistent = false;
    this.#newHead();
  }

  /**
   * Reads the next bytes.
   *
   * @returns the number of bytes that belong to the reply, if it is complete now; -1: more bytes must come.
   * @throws {BrokenReply} The connection must be closed.
   */
  read(bytes: Buffer, sink: ReplySink): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state > LINES) {
        const end = this.#state === UNTIL_CLOSE ? bytes.length : Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        sink.data(bytes.subarray(at, end));
        at = end;
        if (this.#left === 0 && this.#state !== UNTIL_CLOSE) this.#state = this.#state === BODY ? DONE : CHUNK_END;
      } else {
        const end = bytes.indexOf(LF, at);
        this.#keep(bytes.toString("latin1", at, end < 0 ? bytes.length : end));
        if (end < 0) return -1;
        at = end + 1;
        if (!this.#line.endsWith("\r")) throw new BrokenReply("a line ends with LF alone");
        const line = this.#line.slice(0, -1);
        this.#line = "";
        this.#read(line, sink);
      }
      if (this.#state === DONE) return at;
    }
    return -1;
  }

  /** The server has closed its side. Whether the reply is complete: a body without a length ends so (RFC 9112, 6.3). */
  finish(): boolean {
    return this.#state === UNTIL_CLOSE;
  }

  #keep(part: string): void {
    this.#line += part;
    // The CR does not count.
    if (this.#line.length <= LINE_BYTES_MAX + 1) return;
    throw new BrokenReply("a line is longer than 16 KiB", this.#state === CHUNK_SIZE ? "too_large" : "connect");
  }

  #read(line: string, sink: ReplySink): void {
    switch (this.#state) {
      case STATUS:
        // Servers may send an empty line after the reply before this one.
        if (line !== "") this.#readStatus(line);
        break;
      case FIELD:
        if (line === "") this.#endHead(sink);
        else this.#readField(line);
        break;
      case CHUNK_SIZE:
        this.#readSize(line);
        break;
      case CHUNK_END:
        if (line !== "") throw new BrokenReply("a chunk is longer than its size");
        this.#state = CHUNK_SIZE;
        break;
      default:
        if (line === "") this.#state = DONE;
        else if (FRAMING.test(this.#field(line).name)) throw new BrokenReply("a trailer has a length or a coding");
    }
  }

  #readStatus(line: string): void {
    const [, minor, status] = STATUS_LINE.exec(line) ?? [];
    if (status === undefined) throw new BrokenReply("the reply does not begin with a status line of HTTP/1.1");
    this.#is10 = minor === "0";
    this.#status = Number(status);
    this.#newHead();
    this.#state = FIELD;
  }

  #newHead(): void {
    this.#fieldBytes = 0;
    this.#length = undefined;
    this.#chunked = false;
    this.#connection = "";
    this.#keepAlive = "";
    this.#coding = undefined;
  }

  /** A header or a trailer. Its value has no white space around it. */
  #field(line: string): { readonly name: string; readonly value: string } {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    const value = unspaced(line, colon + 1);
    if (!TOKEN.test(name)) throw new BrokenReply("a header has no valid name");
    if (!FIELD_VALUE.test(value)) throw new BrokenReply("a header has a control character");
    this.#fieldBytes += name.length + value.length;
    if (this.#fieldBytes >= FIELDS_BYTES_MAX) throw new BrokenReply("the headers have 16 KiB or more");
    return { name, value };
  }

  #readField(line: string): void {
    const { name, value } = this.#field(line);
    // Most headers are told apart by the length of their names.
    switch (name.length) {
      case "connection".length:
        if (/^connection$/i.test(name)) this.#connection += `,${value.toLowerCase()}`;
        else if (/^keep-alive$/i.test(name)) this.#keepAlive += `,${value}`;
        break;
      case "content-length".length:
        if (!/^content-length$/i.test(name)) break;
        if (this.#length !== undefined) throw new BrokenReply("two lengths");
        if (!/^\d{1,15}$/.test(value)) throw new BrokenReply("a length that is not a number");
        this.#length = Number(value);
        break;
      case "content-encoding".length:
        if (/^content-encoding$/i.test(name)) this.#coding = joined(this.#coding, value);
        break;
      case "transfer-encoding".length:
        if (!/^transfer-encoding$/i.test(name)) break;
        // The request asked for no coding, so chunks are the only one that may be there.
        if (this.#chunked || !/^chunked$/i.test(value)) throw new BrokenReply("another transfer coding than chunked");
        this.#chunked = true;
        break;
    }
  }

  #endHead(sink: ReplySink): void {
    if (this.#chunked && this.#length !== undefined) throw new BrokenReply("a length and chunks");
    if (this.#chunked && this.#is10) throw new BrokenReply("chunks in a reply of HTTP/1.0");
    if (this.#status < 200) {
      if (this.#is10) throw new BrokenReply("an interim reply of HTTP/1.0");
      // The request asked for no other protocol. After this reply the connection no longer speaks HTTP/1.1.
      if (this.#status === 101) throw new BrokenReply("a switch of protocols that nobody asked for");
      this.#state = STATUS;
      return sink.head(this.#status, undefined);
    }
    const options = this.#connection.split(",").map((option) => option.trim());
    const bodiless = this.#status === 204 || this.#status === 304;
    const bounded = this.#chunked || this.#length !== undefined;
    this.#persistent =
      !options.includes("close") &&
      (!this.#is10 || options.includes("keep-alive")) &&
      // A server that wrongly announces a body may send it, too.
      (bodiless ? !this.#chunked && !this.#length : bounded);
    this.#left = this.#length ?? 0;
    if (bodiless || this.#length === 0) this.#state = DONE;
    else if (this.#chunked) this.#state = CHUNK_SIZE;
    else this.#state = bounded ? BODY : UNTIL_CLOSE;
    sink.head(this.#status, this.#coding);
  }

  #readSize(line: string): void {
    const [, digits] = SIZE_LINE.exec(line) ?? [];
    if (digits === undefined) throw new BrokenReply("a chunk without a valid size");
    this.#left = Number.parseInt(digits, 16);
    if (this.#left > 0xffff_ffff) throw new BrokenReply("a chunk of 4 GiB or more");
    this.#fieldBytes = 0;
    this.#state = this.#left === 0 ? TRAILER : CHUNK;
  }
}

const joined = (before: string | undefined, value: string): string =>
  before === undefined ? value : `${before}, ${value}`;

/** The text from `start` on, without spaces and tabs around it. `trim` would also remove Latin-1's other white space. */
function unspaced(line: string, start: number): string {
  let end = line.length;
  while (start < end && isSpace(line.charCodeAt(start))) start++;
  while (end > start && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

// All of these texts have one character for each byte (Latin-1).
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const FRAMING = /^(content-length|transfer-encoding)$/i;
/** A size, and extensions that are ignored. */
const SIZE_LINE =
  /^([\da-f]+)(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e]|\\[\t\x20-\x7e])*"))?)*$/i;
