/** Hostile connections over HTTP/1.1, written byte by byte. */
import { connect, type Socket } from "node:net";
import { sign } from "../../src/domain/signing/signing.ts";
import type { SeededRandom } from "../../testbed/seeded-random.ts";
import type { Attack } from "./orders.ts";

/** One connection. It attacks until it is closed. */
export interface Hostile {
  readonly socket: Socket;
  /** Called repeatedly while the connection is open. Returns the number of requests or bytes that it sent. */
  act(): number;
}

/**
 * Opens a connection of a kind.
 *
 * @param from - the caller's address, one of 127.0.0.0/8.
 */
export type Kind = (attack: Attack, from: string, random: SeededRandom) => Hostile;

const HOST = "127.0.0.1";
/** The number of bytes that Node reads at once. */
const PIPELINED_BYTES = 65_000;

const open = (port: number, from: string): Socket => connect({ port, host: HOST, localAddress: from });
const get = (target: string, headers = ""): string => `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n`;

/** Writes as many requests as one read can hold, again and again. It reads no answer. */
function unread(port: number, from: string, request: () => string): Hostile {
  const socket = open(port, from).pause();
  return {
    socket,
    act: () => {
      // Unread requests wait in this socket, so a few writes are enough.
      if (socket.writableLength > 4 * PIPELINED_BYTES) return 0;
      let [text, sent] = ["", 0];
      for (let next = request(); text.length + next.length <= PIPELINED_BYTES; next = request()) {
        text += next;
        sent += 1;
      }
      socket.write(text, "latin1");
      return sent;
    },
  };
}

const PAGES = ["/docs/search.json", "/openapi.json", "/docs", "/docs/docs.css", "/health/ready", "/nowhere"];
export const unreadPages: Kind = ({ ports }, from, random) => {
  const page = random.pick(PAGES);
  return unread(ports.rest, from, () => get(page));
};

/** Reads the answers, so that its pipelined requests continue without end. */
export const readPages: Kind = (attack, from, random) => {
  const hostile = unreadPages(attack, from, random);
  hostile.socket.resume();
  return hostile;
};

/** Valid signatures, with thousands of unknown parameters or with the merchant's largest answers. */
export const unreadCalls: Kind = ({ ports, merchant }, from, random) => {
  const target = random.pick([
    `/v1/games?${"x&".repeat(5_000)}`,
    "/v1/games?limit=500",
    "/v1/transactions?format=csv",
    "/v1/merchant",
  ]);
  return unread(ports.rest, from, () => {
    const [timestamp, nonce] = [String(Date.now()), random.hex()];
    const signature = sign(merchant.secret, { timestamp, nonce, method: "GET", target, body: "" });
    return get(
      target,
      `X-Merchant-Id: ${merchant.code}\r\nX-Timestamp: ${timestamp}\r\nX-Nonce: ${nonce}\r\nX-Signature: ${signature}\r\n`,
    );
  });
};

export const unsignedCalls: Kind = ({ ports }, from) => unread(ports.rest, from, () => get("/v1/merchant"));

export const unreadMetrics: Kind = ({ ports }, from, random) => {
  const target = random.pick(["/metrics", "/metrics", "/aggregator.provider.v1.WalletService/GetBalance"]);
  return unread(ports.internalHttp, from, () => get(target));
};

/** Sends headers or a body one byte at a time. */
export const slow: Kind = ({ ports }, from, random) => {
  const port = random.pick([ports.rest, ports.rest, ports.internalHttp]);
  const head = random.chance(0.5)
    ? `GET /v1/merchant HTTP/1.1\r\nHost: ${HOST}\r\nX-Slow: `
    : `POST /v1/game/launch HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  const socket = open(port, from).resume();
  socket.write(head + "x".repeat(random.int(0, 8_000)));
  return { socket, act: () => (socket.write("x") ? 1 : 0) };
};

/** Requests a large page and reads a small part of it from time to time. */
export const slowReader: Kind = ({ ports }, from) => {
  const socket = open(ports.rest, from).pause();
  socket.write(get("/docs/search.json"));
  return { socket, act: () => (socket.read(1_000) === null ? 0 : 1) };
};

/** Opens a connection and sends nothing more, or only the beginning of a request. */
export const halfOpen: Kind = ({ ports }, from, random) => {
  const socket = open(random.pick(Object.values(ports)), from).resume();
  const beginning = random.pick(["", "GET", "PRI * HTTP/2.0\r\n", "\x16\x03\x01"]);
  socket.write(beginning);
  return { socket, act: () => 1 };
};

/** Pipelines bodies of the largest size and above, and reads no answer. */
export const largeBodies: Kind = ({ ports }, from, random) => {
  const socket = open(random.pick([ports.rest, ports.internalHttp]), from).pause();
  const length = random.pick([65_536, 65_537, 1_000_000, 10_000_000]);
  const head = `POST /v1/game/launch HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const body = Buffer.alloc(length, "x");
  return {
    socket,
    act: () => {
      if (socket.writableLength > 0) return 0;
      socket.write(head);
      socket.write(body);
      return 1;
    },
  };
};

/** Bodies whose chunks have one byte, at every place that a stranger can send a body to. They never end. */
export const dust: Kind = ({ ports }, from, random) => {
  const [port, target] = random.pick([
    [ports.rest, "/v1/game/launch"],
    [ports.rest, "/docs"],
    [ports.internalHttp, "/console/session"],
    [ports.internalHttp, "/aggregator.provider.v1.WalletService/GetBalance"],
  ] as const);
  const socket = open(port, from).resume();
  const type = `Content-Type: application/json\r\nOrigin: http://${HOST}:${port}\r\n`;
  socket.write(`POST ${target} HTTP/1.1\r\nHost: ${HOST}:${port}\r\n${type}Transfer-Encoding: chunked\r\n\r\n`);
  const chunks = "1\r\na\r\n".repeat(10_000);
  return {
    socket,
    act: () => {
      if (socket.writableLength > 0) return 0;
      socket.write(chunks);
      return 1;
    },
  };
};

/** Headers of 15 kB with lists. */
export const longHeaders: Kind = ({ ports }, from, random) => {
  const header = random.pick(["Accept-Language", "Accept-Encoding", "If-None-Match", "Cookie", "X-Forwarded-For"]);
  const port = random.pick([ports.rest, ports.internalHttp]);
  const target = port === ports.rest ? random.pick(["/docs", "/v1/merchant", "/nowhere"]) : "/console/session";
  const hostile = unread(port, from, () => get(target, `${header}: ${"a,".repeat(7_500)}x\r\n`));
  hostile.socket.resume();
  return hostile;
};

/** Invented cookies of the console. */
export const inventedCookies: Kind = ({ ports }, from, random) => {
  const hostile = unread(ports.internalHttp, from, () =>
    get("/console/session", `Cookie: console_session=${random.hex().padEnd(43, "A").slice(0, 43)}\r\n`),
  );
  hostile.socket.resume();
  return hostile;
};
