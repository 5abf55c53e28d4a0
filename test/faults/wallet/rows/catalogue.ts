/** The faults of wallets and their networks, row by row. */
import type { AttemptResult } from "../../../../contract/wallet/results.ts";
import { NXDOMAIN, SERVFAIL } from "../../../../testbed/programs/name-server.ts";
import { reply } from "../../../adapters/wallet-http/raw-server.ts";
import {
  bomb,
  bytes,
  CANARY,
  CHUNKED,
  end,
  flood,
  HEAD,
  json,
  later,
  OK,
  reset,
  swapped,
  trickle,
} from "./misbehaviours.ts";
import type { Row, TlsFault } from "./row.ts";

const pending = (...results: AttemptResult[]) => ({ outcome: "pending", results });
const ACCEPTED = { outcome: "success", results: ["accepted"], applies: true } as const;
const rejected = (code: string) => ({ outcome: `failed:${code}`, results: ["rejected"] as const });

const C1: readonly Row[] = [
  { id: "C1", what: "no reply, not applied", ...pending("timeout"), reply: () => () => undefined },
  { id: "C1", what: "no reply, applied", ...pending("timeout"), applies: true, reply: () => () => undefined },
  { id: "C1", what: "reply just in time", ...ACCEPTED, reply: later(({ soonMs }) => soonMs) },
  {
    id: "C1",
    what: "reply just too late, applied",
    ...pending("timeout"),
    applies: true,
    reply: later(({ lateMs }) => lateMs),
  },
];

const C2: readonly Row[] = [
  { id: "C2", what: "connection refused", ...pending("connect"), dns: () => () => ({ addresses: ["::1"] }) },
  { id: "C2", what: "RST before the request", ...pending("connect"), connection: reset },
  { id: "C2", what: "FIN before the request", ...pending("connect"), connection: (socket) => void socket.end() },
  { id: "C2", what: "RST after the request, applied", ...pending("connect"), applies: true, reply: () => reset },
  { id: "C2", what: "RST after the request, not applied", ...pending("connect"), reply: () => reset },
  { id: "C2", what: "FIN after the request", ...pending("connect"), applies: true, reply: end("") },
  {
    id: "C2",
    what: "FIN after the headers",
    ...pending("connect"),
    applies: true,
    reply: end(`${HEAD}content-length: 26\r\n\r\n`),
  },
  {
    id: "C2",
    what: "half of the body, FIN",
    ...pending("connect"),
    applies: true,
    reply: () => (socket, honest) => void socket.end(honest.subarray(0, -5)),
  },
  {
    id: "C2",
    what: "half of the body, RST",
    ...pending("connect"),
    applies: true,
    reply: () => (socket, honest) =>
      void socket.write(honest.subarray(0, -5), () => setTimeout(() => reset(socket), 10)),
  },
  {
    id: "C2",
    what: "Content-Length too long, FIN",
    ...pending("connect"),
    applies: true,
    reply: end(`${HEAD}content-length: 99\r\n\r\n${OK}`),
  },
  {
    id: "C2",
    what: "Content-Length too long, stays open",
    ...pending("timeout"),
    applies: true,
    reply: bytes(`${HEAD}content-length: 99\r\n\r\n${OK}`),
  },
  {
    id: "C2",
    what: "Content-Length too short",
    ...pending("not_json"),
    applies: true,
    reply: bytes(`${HEAD}content-length: 20\r\n\r\n${OK}`),
  },
  {
    id: "C2",
    what: "two Content-Lengths",
    ...pending("connect"),
    applies: true,
    reply: bytes(`${HEAD}content-length: 26\r\ncontent-length: 27\r\n\r\n${OK}`),
  },
  {
    id: "C2",
    what: "last chunk missing, FIN",
    ...pending("connect"),
    applies: true,
    reply: end(`${CHUNKED}1a\r\n${OK}\r\n`),
  },
  { id: "C2", what: "no HTTP", ...pending("connect"), reply: bytes(`220 ${CANARY} ESMTP\r\n`) },
  {
    id: "C2",
    what: "a switch of protocols",
    ...pending("connect"),
    reply: bytes("HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  },
];

const C3: readonly Row[] = [
  {
    id: "C3",
    what: "headers byte by byte",
    ...pending("timeout"),
    applies: true,
    reply: trickle(`${HEAD}x-padding: `, "a"),
  },
  {
    id: "C3",
    what: "body byte by byte",
    ...pending("timeout"),
    applies: true,
    reply: trickle(`${HEAD}content-length: 2000\r\n\r\n{`, " "),
  },
  { id: "C3", what: "chunks one by one", ...pending("timeout"), applies: true, reply: trickle(CHUNKED, "1\r\n \r\n") },
  {
    id: "C3",
    what: "interim replies one by one",
    ...pending("timeout"),
    applies: true,
    reply: trickle("", "HTTP/1.1 103 X\r\n\r\n"),
  },
];

const C4 = [500, 502, 503, 599].map(
  (status): Row => ({
    id: "C4",
    what: `status ${status} with a success in it`,
    ...pending("http_5xx"),
    applies: true,
    reply: json(`{"ok":true,"balance":97.5,"detail":"${CANARY}"}`, status),
  }),
);

const C5: readonly Row[] = [
  ...[200, 400, 401, 404, 409, 429].map(
    (status): Row => ({
      id: "C5",
      what: `status ${status} with a rejection`,
      ...rejected("X"),
      reply: json(`{"ok":false,"error":"x","detail":"${CANARY}"}`, status),
    }),
  ),
  { id: "C5", what: "a rejection without a code", ...rejected("UNKNOWN"), reply: json('{"ok":false}') },
  {
    id: "C5",
    what: "a rejection with 1 000 characters",
    ...rejected("X".repeat(64)),
    reply: json(`{"ok":false,"error":"${"x".repeat(1_000)}"}`),
  },
];

const C6: readonly Row[] = [
  ...Object.entries({
    "a web page": `<html>${CANARY}</html>`,
    nothing: "",
    "UTF-16": Buffer.from(OK, "utf16le"),
    "two BOMs": `\ufeff\ufeff${OK}`,
    "cut JSON": OK.slice(0, -1),
  }).map(
    ([what, body]): Row => ({
      id: "C6",
      what,
      ...pending("not_json"),
      applies: true,
      reply: () => (socket) => void socket.write(reply(200, body)),
    }),
  ),
  ...['{"ok":"true","balance":1}', '{"ok":1,"balance":1}', "[]", "null", '{"balance":1}'].map(
    (body): Row => ({ id: "C6", what: `\`${body}\``, ...pending("no_ok"), applies: true, reply: json(body) }),
  ),
  ...['{"ok":true,"balance":"1"}', '{"ok":true,"balance":null}', '{"ok":true}', '{"ok":true,"balance":1e400}'].map(
    (body): Row => ({ id: "C6", what: `\`${body}\``, ...pending("no_balance"), applies: true, reply: json(body) }),
  ),
  ...Object.entries({
    "one BOM": `\ufeff${OK}`,
    "duplicate keys": '{"ok":false,"ok":true,"balance":1}',
    "nested 30 000 deep": `{"x":${"[".repeat(30_000)}${"]".repeat(30_000)},"ok":true,"balance":1}`,
  }).map(([what, body]): Row => ({ id: "C6b", what, ...ACCEPTED, reply: json(body) })),
  {
    id: "C6b",
    what: "`__proto__` beside the fields",
    ...ACCEPTED,
    reply: json('{"__proto__":{"ok":false},"ok":true,"balance":1}'),
  },
  {
    id: "C6b",
    what: "broken UTF-8 beside the fields",
    ...ACCEPTED,
    reply: () => (socket) =>
      void socket.write(reply(200, Buffer.from('{"n":"\xe3\xff","ok":true,"balance":1}', "latin1"))),
  },
  ...["-0", "-5"].map(
    (balance): Row => ({
      id: "C6b",
      what: `balance ${balance}`,
      ...ACCEPTED,
      reply: json(`{"ok":true,"balance":${balance}}`),
    }),
  ),
  ...["10.129", "1e300"].map(
    (balance): Row => ({
      id: "C6b",
      what: `balance ${balance}`,
      ...ACCEPTED,
      alert: "balance_precision",
      reply: json(`{"ok":true,"balance":${balance}}`),
    }),
  ),
];

const C7: readonly Row[] = [
  { id: "C7", what: "body without end", ...pending("too_large"), applies: true, reply: flood(`${HEAD}\r\n`, " ") },
  {
    id: "C7",
    what: "body of 100 MB",
    ...pending("too_large"),
    applies: true,
    reply: flood(`${HEAD}content-length: 100000000\r\n\r\n`, " "),
  },
  { id: "C7", what: "chunks without end", ...pending("too_large"), applies: true, reply: flood(CHUNKED, "1\r\n \r\n") },
  {
    id: "C7",
    what: "a chunk's extension without end",
    ...pending("too_large"),
    applies: true,
    reply: flood(`${CHUNKED}1;`, "a"),
  },
  {
    id: "C7",
    what: "a chunk's length without end",
    ...pending("too_large"),
    applies: true,
    reply: flood(CHUNKED, "0"),
  },
  {
    id: "C7",
    what: "interim replies without end",
    ...pending("too_large"),
    applies: true,
    reply: flood("", "HTTP/1.1 103 X\r\n\r\n"),
  },
  { id: "C7", what: "empty lines without end", ...pending("too_large"), applies: true, reply: flood("", "\r\n") },
  { id: "C7", what: "headers without end", ...pending("connect"), applies: true, reply: flood(HEAD, "x: y\r\n") },
  {
    id: "C7",
    what: "one header of 100 KB",
    ...pending("connect"),
    applies: true,
    reply: bytes(`${HEAD}x: ${"a".repeat(100_000)}`),
  },
  {
    id: "C7",
    what: "trailers without end",
    ...pending("connect"),
    applies: true,
    reply: flood(`${CHUNKED}0\r\n`, "x: y\r\n"),
  },
  {
    id: "C7",
    what: "gzip, 50 MB in 48 KB",
    ...pending("not_json"),
    applies: true,
    reply: bomb(50),
  },
  {
    id: "C7",
    what: "gzip, 100 MB in 97 KB",
    ...pending("too_large"),
    applies: true,
    reply: bomb(100),
  },
];

const C8: readonly Row[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): Row => ({
      id: "C8",
      what: `${status} to another address`,
      ...pending("not_json"),
      alert: "wallet_redirects",
      reply:
        ({ trapUrl }) =>
        (socket) =>
          void socket.write(reply(status, "", `location: ${trapUrl}\r\n`)),
    }),
  ),
  {
    id: "C8",
    what: "307 to itself",
    ...pending("not_json"),
    alert: "wallet_redirects",
    reply: json("", 307, `location: /wallet?${CANARY}\r\n`),
  },
  {
    id: "C8",
    what: "302 with a rejection",
    ...rejected("MOVED"),
    alert: "wallet_redirects",
    reply:
      ({ trapUrl }) =>
      (socket) =>
        void socket.write(reply(302, '{"ok":false,"error":"moved"}', `location: ${trapUrl}\r\n`)),
  },
];

const tlsRow = (tls: TlsFault, ...results: AttemptResult[]): Row => ({
  id: "C9",
  what: tls,
  ...pending(...results),
  tls,
  ...(results[0] === "tls" && { alert: "wallet_tls" }),
});
const C9: readonly Row[] = [
  ...(["expired", "other host", "self-signed", "unknown authority", "TLS 1.1", "plain HTTP"] as const).map((fault) =>
    tlsRow(fault, "tls"),
  ),
  tlsRow("stall", "timeout"),
  tlsRow("cut", "connect"),
];

const C10: readonly Row[] = [
  { id: "C10", what: "NXDOMAIN", ...pending("connect"), dns: () => () => NXDOMAIN },
  { id: "C10", what: "SERVFAIL", ...pending("connect"), dns: () => () => SERVFAIL },
  { id: "C10", what: "no address", ...pending("connect"), dns: () => () => ({ addresses: [] }) },
  { id: "C10", what: "no answer", ...pending("connect", "timeout"), dns: () => () => "nothing" },
  {
    id: "C10",
    what: "an answer after 7/8 of the time",
    ...pending("connect", "timeout"),
    dns:
      ({ timeoutMs }) =>
      () => ({ addresses: ["127.0.0.1"], afterMs: (timeoutMs * 7) / 8 }),
    reply: () => () => undefined,
  },
  {
    id: "C10",
    what: "no answer for IPv6 alone",
    ...ACCEPTED,
    dns: () => (type) => (type === "A" ? { addresses: ["127.0.0.1"] } : "nothing"),
  },
  {
    id: "C10",
    what: "an alias",
    ...ACCEPTED,
    dns: () => () => ({ alias: "elsewhere.example", addresses: ["127.0.0.1"] }),
  },
  {
    id: "C10",
    what: "the first address refuses, the second answers",
    ...ACCEPTED,
    dns: () => () => ({ addresses: ["::1", "127.0.0.1"] }),
  },
];

const C11: readonly Row[] = [
  {
    id: "C11",
    what: "RST to the second request of a connection",
    ...pending("connect"),
    applies: true,
    used: true,
    reply: () => reset,
  },
  { id: "C11", what: "FIN to the second request of a connection", ...pending("connect"), used: true, reply: end("") },
  { id: "C11", what: "reply, then FIN at once", ...ACCEPTED, reply: () => (socket, honest) => void socket.end(honest) },
  {
    id: "C11",
    what: "reply, then RST",
    ...ACCEPTED,
    reply: () => (socket, honest) => void socket.write(honest, () => setTimeout(() => reset(socket), 5)),
  },
];

const C12: readonly Row[] = [
  {
    id: "C12",
    what: "the reply twice over one connection",
    ...ACCEPTED,
    reply: () => (socket, honest) =>
      void socket.write(Buffer.concat([honest, reply(200, '{"ok":false,"error":"SWAPPED"}')])),
  },
  { id: "C12", what: "two calls get each other's reply", ...ACCEPTED, reply: swapped },
];

export const ROWS: readonly Row[] = [
  ...C1,
  ...C2,
  ...C3,
  ...C4,
  ...C5,
  ...C6,
  ...C7,
  ...C8,
  ...C9,
  ...C10,
  ...C11,
  ...C12,
];
