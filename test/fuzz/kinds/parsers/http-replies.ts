import { Duplex } from "node:stream";
import type { Connector } from "../../../../src/adapters/wallet-http/connection.ts";
import { type Ending, Exchange } from "../../../../src/adapters/wallet-http/exchange.ts";
import { BrokenReply, ReplyReader } from "../../../../src/adapters/wallet-http/http1/reply-reader.ts";
import { UndiciConnection } from "../../../../src/adapters/wallet-http/undici/undici-connection.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateBytes } from "../../mutate.ts";

interface HttpReply {
  readonly bytes: Uint8Array;
  /** The places where the bytes are cut into pieces. */
  readonly cuts: readonly number[];
  /** Whether nothing was changed after it was generated. */
  readonly isValid: boolean;
}

/** The end of a reply after which the server closes: what was read, or that there is no complete reply. */
type Seen = { readonly status: number; readonly body: string } | "refused" | "incomplete";

const HEADERS = [
  "Date: Sat, 28 Nov 2026 04:00:00 GMT",
  "content-type: application/json; charset=utf-8",
  "Server:nginx",
  "X-Empty:",
  "Connection: keep-alive",
  "connection: close",
  "Keep-Alive: timeout=5",
  "Set-Cookie: a=b; Path=/",
  "Upgrade: h2c",
  "X-Latin: \u00e9",
  "Content-Encoding: identity",
];
const INTERIM = [
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n",
  "HTTP/1.1 102 \r\nA:b\r\n\r\n",
];
const EXTENSIONS = ["", "", ";a", ";a=b", ';a="b;c";d'];
const STATUSES = ["200 OK", "200", "201 ", "302 Found", "401 X", "422 X", "500 X", "799 X"];
/** What servers, proxies and attackers put into a reply. */
const ODD = [
  "\r\n",
  "\n",
  "\r",
  " ",
  "\t",
  ":",
  ";",
  ",",
  "\0",
  "0",
  "0\r\n\r\n",
  "5\r\nhello\r\n",
  "\r\n ",
  "Content-Length: 5\r\n",
  "Content-Length: 0\r\n",
  "content-length:26\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: identity\r\n",
  "transfer-encoding: gzip, chunked\r\n",
  "Connection: close\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 100 X\r\n\r\n",
  "HTTP/1.1 204 X\r\n",
  "HTTP/1.0 ",
  "chunked",
  "f".repeat(16),
  "x".repeat(17_000),
];

function generate(random: SeededRandom): HttpReply {
  const body = random.pick([
    '{"ok":true,"balance":97.5}',
    '{"ok":false,"error":"X"}',
    "",
    "<html>\r\n\r\n",
    "0\r\n\r\n",
  ]);
  const framing = random.pick(["length", "length", "chunks", "chunks", "close", "bodiless"] as const);
  const lines = Array.from({ length: random.int(0, 4) }, () => random.pick(HEADERS));
  let sent = body;
  if (framing === "length") lines.splice(random.int(0, lines.length), 0, `Content-Length: ${body.length}`);
  if (framing === "chunks") {
    lines.splice(random.int(0, lines.length), 0, "Transfer-Encoding: chunked");
    sent = "";
    for (let at = 0; at < body.length; ) {
      const end = Math.min(body.length, at + random.int(1, 20));
      sent += `${(end - at).toString(16)}${random.pick(EXTENSIONS)}\r\n${body.slice(at, end)}\r\n`;
      at = end;
    }
    sent += `${random.pick(["0", "000"])}${random.pick(EXTENSIONS)}\r\n${random.pick(["", "", "X-Sum: 1\r\n"])}\r\n`;
  }
  if (framing === "bodiless") sent = "";
  const status = framing === "bodiless" ? random.pick(["204 X", "304"]) : random.pick(STATUSES);
  const head = `${random.chance(0.1) ? "\r\n" : ""}HTTP/1.1 ${status}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  const interim = Array.from({ length: random.chance(0.3) ? random.int(1, 3) : 0 }, () => random.pick(INTERIM));
  return cut(random, Buffer.from(interim.join("") + head + sent, "latin1"), true);
}

function mutate(random: SeededRandom, { bytes }: HttpReply): HttpReply {
  if (random.chance(0.4)) return cut(random, mutateBytes(random, bytes), false);
  // Half of these insertions are at the beginning of a line, where they change the framing.
  let at = random.int(0, bytes.length);
  if (random.chance(0.5)) at = bytes.indexOf(10, at) + 1;
  const odd = Buffer.from(random.pick(ODD), "latin1");
  const after = bytes.subarray(random.chance(0.3) ? Math.min(bytes.length, at + random.int(1, 30)) : at);
  return cut(random, Buffer.concat([bytes.subarray(0, at), odd, after]), false);
}

const cut = (random: SeededRandom, bytes: Uint8Array, isValid: boolean): HttpReply => ({
  bytes,
  isValid,
  cuts: Array.from({ length: random.int(0, 6) }, () => random.int(0, bytes.length)).sort((a, b) => a - b),
});

const pieces = ({ bytes, cuts }: HttpReply): Buffer[] => {
  const all = Buffer.from(bytes);
  const ends = [0, ...cuts, all.length];
  return ends.slice(1).map((end, i) => all.subarray(ends[i], end));
};

function own(parts: readonly Buffer[]): Seen {
  const reader = new ReplyReader();
  reader.reset();
  let [status, body] = [0, ""];
  const sink = {
    head: (its: number) => {
      status = its;
    },
    data: (piece: Buffer) => {
      body += piece.toString("latin1");
    },
  };
  try {
    const ended = parts.some((part) => part.length > 0 && reader.read(part, sink) >= 0) || reader.finish();
    return ended ? { status, body } : "incomplete";
  } catch (cause) {
    if (cause instanceof BrokenReply) return "refused";
    throw cause;
  }
}

/** The same bytes through undici, over a stream instead of a socket. */
function undici(parts: readonly Buffer[]): Promise<Seen> {
  const stream = new Duplex({
    highWaterMark: 65_536,
    read: () => undefined,
    write: (_chunk, _encoding, done) => done(),
  });
  const connector = ((_options: unknown, done: (error: null, socket: Duplex) => void) => {
    setImmediate(() => {
      done(null, stream);
      for (const part of parts) if (part.length > 0 && !stream.destroyed) stream.push(part);
      stream.push(null);
      // A socket is closed after its end, too.
      setImmediate(() => setImmediate(() => stream.destroy()));
    });
    return stream;
  }) as unknown as Connector;
  const connection = new UndiciConnection("http://wallet.example", connector, () => undefined);
  return new Promise((resolve) => {
    const end = (ending: Ending): void => {
      setImmediate(() => connection.destroy());
      resolve(ending.fault === null ? { status: ending.status, body: ending.body.toString("latin1") } : "refused");
    };
    connection.dispatch({ path: "/", headers: [], body: Buffer.from("{}") }, new Exchange(end));
  });
}

const same = (a: Seen, b: Seen): boolean => JSON.stringify(a) === JSON.stringify(b);

/** RFC 9112 allows what undici refuses: white space after a length or coding, and `close` in an interim reply. */
const UNDICI_REFUSES =
  /^(content-length|transfer-encoding):[^\n]*[\t ]\r?$|^HTTP\/1\.1 1(?:(?!\n\r?\n)[\s\S])*\nconnection:[^\n]*close/im;
/** undici needs fifty times the time, so it reads one of so many replies. */
const UNDICI_EVERY = 8;

/**
 * Replies of HTTP, read by the own client and by undici. The own client is stricter: it may refuse what undici reads.
 * But when it has a complete reply, undici must have the same one.
 */
export const httpReplies: Kind<HttpReply> = {
  name: "http-replies",
  reader: "wallet-http/http1/reply-reader",
  perMillion: 60_000,
  generate,
  mutate,
  check: (input) => {
    const whole = own([Buffer.from(input.bytes)]);
    const parts = own(pieces(input));
    const faults: string[] = [];
    if (!same(whole, parts)) faults.push(`whole: ${JSON.stringify(whole)}, in pieces: ${JSON.stringify(parts)}`);
    if (input.isValid && typeof whole === "string") faults.push(`a valid reply is ${whole}`);
    const isRead = (input.bytes.length + (input.cuts[0] ?? 0)) % UNDICI_EVERY === 0;
    if (whole === "refused" || !isRead || UNDICI_REFUSES.test(Buffer.from(input.bytes).toString("latin1")))
      return faults;
    return undici(pieces(input)).then((other) => {
      // undici has one word for a reply that is refused and one that is cut off.
      const agree = whole === "incomplete" ? other === "refused" : same(whole, other);
      return agree ? faults : [...faults, `own: ${JSON.stringify(whole)}, undici: ${JSON.stringify(other)}`];
    });
  },
};
