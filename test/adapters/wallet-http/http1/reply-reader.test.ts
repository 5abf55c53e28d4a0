/** The reader of wallets' replies, by the sections of RFC 9112. Each input is read whole, and cut at every place. */
import test from "ava";
import { BrokenReply, ReplyReader } from "../../../../src/adapters/wallet-http/http1/reply-reader.ts";

const JSON_TEXT = '{"ok":true,"balance":97.5}';
const LENGTH = `Content-Length: ${JSON_TEXT.length}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const CHUNKS = `1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`;
const reply = (head: string, body = JSON_TEXT, status = "HTTP/1.1 200 OK"): string => `${status}\r\n${head}\r\n${body}`;

interface Read {
  readonly heads: readonly number[];
  readonly body: string;
  /** The number of bytes of the reply; -1: more must come; a text: why it is refused. */
  readonly end: number | string;
  readonly fault: string | null;
  readonly closed: boolean;
  readonly persistent: boolean;
  readonly idleMs: number | undefined;
  readonly coding: string | undefined;
}

function read(pieces: readonly Buffer[]): Read {
  const reader = new ReplyReader();
  reader.reset();
  const heads: number[] = [];
  let [body, coding]: [string, string | undefined] = ["", undefined];
  const sink = {
    head: (status: number, its: string | undefined) => {
      heads.push(status);
      coding = its;
    },
    data: (piece: Buffer) => {
      body += piece.toString("latin1");
    },
  };
  let [end, before, fault]: [number | string, number, string | null] = [-1, 0, null];
  try {
    for (const piece of pieces) {
      const used = reader.read(piece, sink);
      if (used >= 0) {
        end = before + used;
        break;
      }
      before += piece.length;
    }
  } catch (cause) {
    if (!(cause instanceof BrokenReply)) throw cause;
    end = cause.message;
    fault = cause.fault;
  }
  const { persistent, idleMs } = reader;
  const complete = typeof end === "number" && end >= 0;
  return {
    heads,
    body,
    end,
    fault,
    coding,
    closed: !complete && fault === null && reader.finish(),
    persistent: complete && persistent,
    idleMs: complete ? idleMs : undefined,
  };
}

/** The result of the whole bytes. It must be the same in any two pieces, and byte by byte. */
function readCut(t: { deepEqual(a: unknown, b: unknown, message?: string): void }, text: string): Read {
  const bytes = Buffer.from(text, "latin1");
  const whole = read([bytes]);
  for (let at = 1; at < Math.min(bytes.length, 1_000); at++)
    t.deepEqual(read([bytes.subarray(0, at), bytes.subarray(at)]), whole, `cut at ${at}`);
  t.deepEqual(read([...bytes].map((byte) => Buffer.from([byte]))), whole, "byte by byte");
  return whole;
}

/** Replies that are read: name, bytes, and what differs from the status 200, the object and a connection that stays. */
const READ: readonly (readonly [string, string, Partial<Read>?])[] = [
  ["2.2, an empty line before the reply", `\r\n${reply(LENGTH)}`],
  ["2.3, HTTP/1.0 ends the connection", reply(LENGTH, JSON_TEXT, "HTTP/1.0 200 OK"), { persistent: false }],
  ["4, a status without a reason", reply(LENGTH, JSON_TEXT, "HTTP/1.1 200")],
  ["4, an empty reason", reply(LENGTH, JSON_TEXT, "HTTP/1.1 200 ")],
  ["4, a reason in UTF-8", reply(LENGTH, JSON_TEXT, "HTTP/1.1 200 n\u00c3\u00a3o")],
  ["4, a status that nobody knows", reply(LENGTH, JSON_TEXT, "HTTP/1.1 799 X"), { heads: [799] }],
  ["5, white space around a value", reply(`Content-Length:\t ${JSON_TEXT.length} \t\r\n`)],
  ["5, no white space and an empty value", reply(`X:\r\ncontent-LENGTH:${JSON_TEXT.length}\r\n`)],
  ["5.5, bytes above ASCII in a value", reply(`X: \xff\xe9\r\n${LENGTH}`)],
  ["6.1, chunks in capital letters", reply("TRANSFER-ENCODING: Chunked \r\n", CHUNKS)],
  [
    "6.3, a 204 has no body, whatever it announces",
    reply(LENGTH, "", "HTTP/1.1 204 X"),
    { heads: [204], body: "", persistent: false },
  ],
  [
    "6.3, a 304 with chunks has no body",
    reply(CHUNKED, "", "HTTP/1.1 304 X"),
    { heads: [304], body: "", persistent: false },
  ],
  ["6.3, a 304 without a length", reply("", "", "HTTP/1.1 304 X"), { heads: [304], body: "" }],
  ["6.3, an empty body", reply("Content-Length: 0\r\n", ""), { body: "" }],
  ["6.3, a length with zeros before it", reply("Content-Length: 000026\r\n")],
  [
    "7.1, several chunks and zeros before a size",
    reply(CHUNKED, `05\r\n${JSON_TEXT.slice(0, 5)}\r\n0015\r\n${JSON_TEXT.slice(5)}\r\n000\r\n\r\n`),
  ],
  ["7.1.1, extensions", reply(CHUNKED, `1A;a;b=c;d="e;\\"f"\r\n${JSON_TEXT}\r\n0;last\r\n\r\n`)],
  ["7.1.2, trailers", reply(CHUNKED, `1a\r\n${JSON_TEXT}\r\n0\r\nX-Sum: 1\r\nconnection: close\r\n\r\n`)],
  ["9.3, close", reply(`Connection: close\r\n${LENGTH}`), { persistent: false }],
  ["9.3, close among other options", reply(`Connection: x, Close ,y\r\n${LENGTH}`), { persistent: false }],
  [
    "9.3, close and keep-alive",
    reply(`Connection: keep-alive\r\nConnection: close\r\n${LENGTH}`),
    { persistent: false },
  ],
  ["9.3, an option that only contains close", reply(`Connection: not-close\r\n${LENGTH}`)],
  ["9.3, HTTP/1.0 that stays", reply(`Connection: Keep-Alive\r\n${LENGTH}`, JSON_TEXT, "HTTP/1.0 200 OK")],
  ["9.3, the time of an idle connection", reply(`Keep-Alive: timeout=5, max=100\r\n${LENGTH}`), { idleMs: 5_000 }],
  ["9.9, an offer to upgrade", reply(`Upgrade: h2c\r\nConnection: Upgrade\r\n${LENGTH}`)],
  [
    "RFC 9110, 15.2, interim replies with headers",
    `HTTP/1.1 100 Continue\r\n${LENGTH}\r\n${reply("Connection: close\r\n", "", "HTTP/1.1 103 X")}${reply(LENGTH)}`,
    { heads: [100, 103, 200] },
  ],
  [
    "RFC 9110, 8.4, codings",
    reply(`Content-Encoding: gzip\r\ncontent-encoding: br\r\n${LENGTH}`),
    { coding: "gzip, br" },
  ],
];

for (const [what, bytes, differs] of READ)
  test(`it is read: ${what}`, (t) => {
    const expected = {
      heads: [200],
      body: JSON_TEXT,
      end: bytes.length,
      fault: null,
      closed: false,
      persistent: true,
      idleMs: undefined,
      coding: undefined,
    };
    t.deepEqual(readCut(t, bytes), { ...expected, ...differs });
    t.is(readCut(t, `${bytes}HTTP/1.1 `).end, bytes.length, "bytes after the reply do not belong to it");
  });

const REFUSED: Readonly<Record<string, string>> = {
  "2.2, a status line that ends with LF alone": `HTTP/1.1 200 OK\n${LENGTH}\r\n${JSON_TEXT}`,
  "2.2, a header that ends with LF alone": reply(`X: y\n${LENGTH}`),
  "2.2, a head that ends with LF alone": `HTTP/1.1 200 OK\r\n${LENGTH}\n${JSON_TEXT}`,
  "2.2, an empty line of LF alone before the reply": `\n${reply(LENGTH)}`,
  "2.2, CR inside a value": reply(`X: a\rb\r\n${LENGTH}`),
  "2.2, two CR before LF": `HTTP/1.1 200 OK\r\r\n${LENGTH}\r\n${JSON_TEXT}`,
  "2.2, white space before the first header": reply(` X: y\r\n${LENGTH}`),
  "2.3, HTTP/2.0": reply(LENGTH, JSON_TEXT, "HTTP/2.0 200 OK"),
  "2.3, HTTP/0.9": reply(LENGTH, JSON_TEXT, "HTTP/0.9 200 OK"),
  "2.3, HTTP/1.2": reply(LENGTH, JSON_TEXT, "HTTP/1.2 200 OK"),
  "2.3, HTTP in small letters": reply(LENGTH, JSON_TEXT, "http/1.1 200 OK"),
  "4, another protocol": reply(LENGTH, JSON_TEXT, "ICY 200 OK"),
  "4, two spaces before the status": reply(LENGTH, JSON_TEXT, "HTTP/1.1  200 OK"),
  "4, a status of two digits": reply(LENGTH, JSON_TEXT, "HTTP/1.1 20 OK"),
  "4, a status of four digits": reply(LENGTH, JSON_TEXT, "HTTP/1.1 2000 OK"),
  "4, a status below 100": reply(LENGTH, JSON_TEXT, "HTTP/1.1 099 OK"),
  "4, NUL in the reason": reply(LENGTH, JSON_TEXT, "HTTP/1.1 200 O\0K"),
  "5, a header without a colon": reply(`abc\r\n${LENGTH}`),
  "5, a header without a name": reply(`: a\r\n${LENGTH}`),
  "5.1, white space before the colon": reply(LENGTH.replace(":", " :")),
  "5.1, a name that is no token": reply(`a(b: c\r\n${LENGTH}`),
  "5.1, a name above ASCII": reply(`\xe9: c\r\n${LENGTH}`),
  "5.2, a folded header": reply(`X: a\r\n b\r\n${LENGTH}`),
  "5.5, NUL in a value": reply(`X: a\0b\r\n${LENGTH}`),
  "5.5, a control character in a value": reply(`X: a\x7fb\r\n${LENGTH}`),
  "5.5, a control character before a value": reply(`X: \x0ca\r\n${LENGTH}`),
  "6.1, an unknown coding": reply("Transfer-Encoding: gzip\r\n"),
  "6.1, two codings": reply("Transfer-Encoding: gzip, chunked\r\n", CHUNKS),
  "6.1, chunked twice": reply(CHUNKED + CHUNKED, CHUNKS),
  "6.1, chunked twice in one line": reply("Transfer-Encoding: chunked, chunked\r\n", CHUNKS),
  "6.1, identity": reply(`Transfer-Encoding: identity\r\n${LENGTH}`),
  "6.1, no coding": reply("Transfer-Encoding:\r\n"),
  "6.1, a coding that begins like chunked": reply("Transfer-Encoding: chunked;q=1\r\n", CHUNKS),
  "6.1, chunks in HTTP/1.0": reply(CHUNKED, CHUNKS, "HTTP/1.0 200 OK"),
  "6.3, a length and chunks": reply(LENGTH + CHUNKED, CHUNKS),
  "6.3, chunks and a length": reply(CHUNKED + LENGTH, CHUNKS),
  "6.3, two different lengths": reply(`${LENGTH}Content-Length: 5\r\n`),
  "6.3, two equal lengths": reply(LENGTH + LENGTH),
  "6.3, a list of equal lengths": reply("Content-Length: 26, 26\r\n"),
  "6.3, a length with a sign": reply("Content-Length: +26\r\n"),
  "6.3, a negative length": reply("Content-Length: -1\r\n"),
  "6.3, a hexadecimal length": reply("Content-Length: 0x1a\r\n"),
  "6.3, an empty length": reply("Content-Length:\r\n"),
  "6.3, a length with a space inside": reply("Content-Length: 2 6\r\n"),
  "6.3, a length with Latin-1's white space": reply("Content-Length: 26\xa0\r\n"),
  "6.3, a length that no number can hold": reply("Content-Length: 9999999999999999\r\n"),
  "7.1, a size with 0x": reply(CHUNKED, `0x1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a size with a sign": reply(CHUNKED, `+1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a space before a size": reply(CHUNKED, ` 1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a space after a size": reply(CHUNKED, `1a \r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, no size": reply(CHUNKED, `\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a size of more than 32 bits": reply(CHUNKED, `10000001a\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a size that ends with LF alone": reply(CHUNKED, `1a\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, a chunk that ends with LF alone": reply(CHUNKED, `1a\r\n${JSON_TEXT}\n0\r\n\r\n`),
  "7.1, a chunk that is longer than its size": reply(CHUNKED, `19\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1, an end of LF alone": reply(CHUNKED, `1a\r\n${JSON_TEXT}\r\n0\r\n\n`),
  "7.1.1, an extension without a name": reply(CHUNKED, `1a;\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1.1, an extension with LF": reply(CHUNKED, `1a;a\nb\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1.1, an extension with NUL": reply(CHUNKED, `1a;a\0\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1.1, an extension with an open quote": reply(CHUNKED, `1a;a="\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "7.1.2, a trailer with a length": reply(CHUNKED, `1a\r\n${JSON_TEXT}\r\n0\r\nContent-Length: 5\r\n\r\n`),
  "7.1.2, a trailer with a coding": reply(CHUNKED, `1a\r\n${JSON_TEXT}\r\n0\r\ntransfer-encoding: x\r\n\r\n`),
  "7.1.2, a folded trailer": reply(CHUNKED, `1a\r\n${JSON_TEXT}\r\n0\r\nX: a\r\n b\r\n\r\n`),
  "9.9, a switch of protocols": reply("", "", "HTTP/1.1 101 X"),
  "RFC 9110, 15.2, an interim reply of HTTP/1.0": reply("", reply(LENGTH), "HTTP/1.0 100 X"),
  "RFC 9110, 15.2, an interim reply with a length and chunks": reply(LENGTH + CHUNKED, reply(LENGTH), "HTTP/1.1 100 X"),
};

for (const [what, bytes] of Object.entries(REFUSED))
  test(`it is refused: ${what}`, (t) => {
    const { end, fault, heads } = readCut(t, bytes);
    t.is(typeof end, "string", "it is refused before its end");
    t.is(fault, "connect");
    t.true(heads.filter((status) => status >= 200).length <= 1);
  });

test("a reply is complete at the close only if it has no length (6.3, 8)", (t) => {
  const open = readCut(t, reply("X: y\r\n"));
  t.deepEqual([open.body, open.end, open.closed], [JSON_TEXT, -1, true]);
  const empty = readCut(t, reply("", ""));
  t.deepEqual([empty.body, empty.end, empty.closed], ["", -1, true]);
  for (const whole of [reply(LENGTH), reply(CHUNKED, CHUNKS), reply(LENGTH, "", "HTTP/1.1 103 X")]) {
    for (let at = 0; at < whole.length; at++) {
      const cut = read([Buffer.from(whole.slice(0, at))]);
      t.deepEqual([cut.end, cut.closed], [-1, false], whole.slice(0, at));
    }
  }
});

test("heads, trailers and lines have limits, and their last allowed byte is read", (t) => {
  const value = "a".repeat(16_384 - 1 - "x".length - "Content-Length26".length);
  t.is(read([Buffer.from(reply(`x: ${value}\r\n${LENGTH}`))]).fault, null);
  const trailer = "a".repeat(16_384 - 2);
  t.is(read([Buffer.from(reply(CHUNKED, `0\r\nx:${trailer}\r\n\r\n`))]).fault, null);
  for (const [bytes, fault] of [
    [reply(`x: ${value}a\r\n${LENGTH}`), "connect"],
    [reply("a: b\r\n".repeat(8_192) + LENGTH), "connect"],
    [reply(`x:${" ".repeat(16_384)}\r\n${LENGTH}`), "connect"],
    [`HTTP/1.1 200 ${"a".repeat(16_384)}`, "connect"],
    [reply(CHUNKED, `0\r\nx:${trailer}a\r\n\r\n`), "connect"],
    [reply(CHUNKED, "0".repeat(16_386)), "too_large"],
    [reply(CHUNKED, `1;${"a".repeat(16_384)}`), "too_large"],
  ] as const) {
    t.is(read([Buffer.from(bytes)]).fault, fault, bytes.slice(0, 80));
    t.is(read([...Buffer.from(bytes)].map((byte) => Buffer.from([byte]))).fault, fault);
  }
});

test("a long line is read in linear time", (t) => {
  const hostile = [
    reply(`x: a${" ".repeat(16_000)}b\r\n${LENGTH}`),
    reply(CHUNKED, `1${';a="'.repeat(4_000)}\r\n`),
    reply(CHUNKED, `1;a="${"\\a".repeat(8_000)}\r\n`),
  ];
  const began = process.cpuUsage();
  for (let i = 0; i < 20; i++) for (const bytes of hostile) read([Buffer.from(bytes)]);
  const { user } = process.cpuUsage(began);
  t.true(user < 3_000_000, `${user} us`);
});

test("after a reset the reader has nothing of the reply before", (t) => {
  const reader = new ReplyReader();
  const bodies: string[] = [];
  const sink = { head: () => undefined, data: (piece: Buffer) => void bodies.push(piece.toString()) };
  for (const head of [CHUNKED, `Connection: close\r\nKeep-Alive: timeout=9\r\n${LENGTH}`, LENGTH]) {
    reader.reset();
    const bytes = Buffer.from(reply(head, head === CHUNKED ? CHUNKS : JSON_TEXT));
    t.is(reader.read(bytes, sink), bytes.length);
  }
  t.deepEqual(bodies, [JSON_TEXT, JSON_TEXT, JSON_TEXT]);
  t.deepEqual([reader.persistent, reader.idleMs], [true, undefined]);
});
