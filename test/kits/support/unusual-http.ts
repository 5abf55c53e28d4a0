/** A kit's client program before servers that speak HTTP in unusual, broken or hostile ways. */
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ExecutionContext } from "ava";
import { type Command, start } from "../../../testbed/programs/toolchain.ts";
import { launchUrlOf } from "../../../testbed/service/merchant-api-replies.ts";
import { type Manner, message, SECRET, startUnusualApi } from "../../../testbed/service/unusual-api.ts";

const PLAYERS = ["ana", "bia", "caio"];
const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const DAY = "2026-01-31";
/** The most that a program may need for all its calls, when each call ends at its own time-out of a second. */
const ENDS_WITHIN_MS = 60_000;

const interim = (status: number, headers = ""): Buffer => Buffer.from(`HTTP/1.1 ${status} Interim\r\n${headers}\r\n`);
const hints = interim(103, "Link: </docs>; rel=preload\r\nServer-Timing: cdn;dur=5\r\n");
const before =
  (...interims: Buffer[]): Manner =>
  ({ socket, reply }) =>
    void socket.write(Buffer.concat([...interims, reply]));
/** The reply to a call of somebody else. */
const strange = message(
  200,
  JSON.stringify({
    success: true,
    data: { launch_url: launchUrlOf("mallory"), game: "g", provider: "X", demo: false },
  }),
);
const chunked = (json: string, headers = "", trailers = ""): string => {
  const half = Math.floor(Buffer.byteLength(json) / 2);
  const [a, b] = [Buffer.from(json).subarray(0, half), Buffer.from(json).subarray(half)];
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${headers}\r\n${a.length.toString(16)};x=y\r\n${a.toString("latin1")}\r\n${b.length.toString(16)}\r\n${b.toString("latin1")}\r\n0\r\n${trailers}\r\n`;
};

/** Replies that HTTP allows. Each call gets its own reply. */
const ALLOWED: Readonly<Record<string, Manner>> = {
  "the usual reply": before(),
  "100 Continue, which nobody asked for": before(interim(100)),
  "102 Processing": before(interim(102)),
  "103 Early Hints with headers": before(hints),
  "100, 102 and 103": before(interim(100), interim(102), hints),
  "six times 103": before(hints, hints, hints, hints, hints, hints),
  "an interim status that nobody knows": before(interim(199, "X-Later: 1\r\n")),
  "103 before the first reply only": ({ socket, reply, n }) =>
    void socket.write(n === 0 ? Buffer.concat([hints, reply]) : reply),
  "103, and the reply later": async ({ socket, reply }) => {
    socket.write(hints);
    await sleep(150);
    socket.write(reply);
  },
  "100 and 103 with a pause after each, in pieces": async ({ socket, reply }) => {
    for (const part of [interim(100), hints, reply])
      for (let at = 0; at < part.length; at += 40) {
        socket.write(part.subarray(at, at + 40));
        await sleep(2);
      }
  },
  "chunks with an extension and a trailer": ({ socket, json }) =>
    void socket.write(chunked(json, "Trailer: X-Sum\r\n", "X-Sum: 1\r\n"), "latin1"),
  "103 before chunks": ({ socket, json }) =>
    void socket.write(Buffer.concat([hints, Buffer.from(chunked(json), "latin1")])),
  "no length, the connection's end is the end": ({ socket, json }) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${json}`),
  "HTTP/1.0": ({ socket, json }) =>
    void socket.end(`HTTP/1.0 200 OK\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`),
  "Connection: close": ({ socket, json }) => void socket.end(message(200, json, "Connection: close\r\n")),
};

/**
 * Replies that HTTP does not allow, or that come too late or not completely. A call gets its own reply or an error, never
 * the reply to another call, and the client can still be used.
 */
const BROKEN: Readonly<
  Record<string, { readonly manner: Manner; readonly fails?: RegExp | true; readonly pauseMs?: number }>
> = {
  "a second reply in the same bytes": {
    manner: ({ socket, reply, n }) => void socket.write(n === 0 ? Buffer.concat([reply, strange]) : reply),
  },
  "a second reply a moment later": {
    manner: async ({ socket, reply, n }) => {
      socket.write(reply);
      if (n > 0) return;
      await sleep(20);
      socket.write(strange);
    },
    pauseMs: 300,
  },
  // Proxies send this on an idle connection before they close it.
  "408 on the idle connection": {
    manner: async ({ socket, reply, n }) => {
      socket.write(reply);
      if (n > 0) return;
      await sleep(20);
      socket.end(message(408, "<html>", "Connection: close\r\n"));
    },
    pauseMs: 300,
  },
  "the idle connection is closed": {
    manner: async ({ socket, reply }) => {
      socket.write(reply);
      await sleep(20);
      socket.end();
    },
    pauseMs: 300,
  },
  "more bytes than Content-Length": {
    manner: ({ socket, reply, n }) => void socket.write(n === 0 ? Buffer.concat([reply, Buffer.from("{}\n")]) : reply),
  },
  "a reply after the time-out": {
    manner: async ({ socket, reply, n }) => {
      if (n === 0) await sleep(1_500);
      socket.write(reply);
    },
    fails: true,
  },
  "an interim reply and then nothing": {
    manner: ({ socket, reply, n }) => void socket.write(n === 0 ? hints : reply),
    fails: true,
  },
  "interim replies without end": {
    manner: async ({ socket, reply, n }) => {
      if (n > 0) return void socket.write(reply);
      while (!socket.destroyed) {
        socket.write(hints);
        await sleep(20);
      }
    },
    fails: true,
  },
  "one byte of the body in each 200 ms": {
    manner: ({ socket, reply, n }) => {
      if (n > 0) return void socket.write(reply);
      const end = reply.indexOf("\r\n\r\n") + 4;
      socket.write(reply.subarray(0, end));
      void drip(socket, reply.subarray(end));
    },
    fails: true,
  },
  "one byte of the headers in each 200 ms": {
    manner: ({ socket, reply, n }) => {
      if (n > 0) return void socket.write(reply);
      void drip(socket, reply);
    },
    fails: true,
  },
  "a body that is cut off": {
    manner: ({ socket, reply, n }) => void (n === 0 ? socket.end(reply.subarray(0, -5)) : socket.write(reply)),
    fails: true,
  },
  "chunks that are cut off": {
    manner: ({ socket, reply, json, n }) =>
      void (n === 0 ? socket.end(chunked(json).slice(0, -7), "latin1") : socket.write(reply)),
    fails: true,
  },
  "101 Switching Protocols": {
    manner: ({ socket, reply, n }) =>
      void socket.write(n === 0 ? interim(101, "Upgrade: x\r\nConnection: upgrade\r\n") : reply),
    fails: true,
  },
  "a line that is not HTTP": {
    manner: ({ socket, reply, n }) => void socket.write(n === 0 ? "SSH-2.0-OpenSSH_9.6\r\n\r\n" : reply),
    fails: true,
  },
  "gzip, which nobody asked for": {
    manner: ({ socket, reply, json, n }) =>
      void socket.write(n === 0 ? message(200, gzipSync(json), "Content-Encoding: gzip\r\n") : reply),
    fails: /gzip/,
  },
};

async function drip(socket: { destroyed: boolean; write(bytes: Buffer): unknown }, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at++) {
    socket.write(bytes.subarray(at, at + 1));
    await sleep(200);
  }
}

interface Line {
  readonly player?: string;
  readonly launch_url?: string;
  readonly error?: string;
  readonly operation?: string;
  readonly value?: string;
}

/** Makes the client program's calls. `lines`: what it printed. */
async function calls(client: Command, argument: string, origin: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    BASE_URL: origin,
    MERCHANT: "shop",
    SECRET,
    LIMIT: "100",
    CURSOR_FILE: "unused",
    PLAYER: argument === "launches" ? PLAYERS.join(",") : "ana",
    PROVIDER: "ACME",
    GAME: "fruits",
    TX_ID: "ACME:w1",
    ROUND_ID: "r",
    DAY,
    TIMEOUT_MS: "1000",
    // No server listens there. Only the merchant's code may name a proxy.
    ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, "http://127.0.0.1:9"])),
    NODE_USE_ENV_PROXY: "1",
    ...more,
  };
  const program = start({ ...client, args: [...(client.args ?? []), argument], env: { ...client.env, ...env } });
  const timer = setTimeout(() => program.end("SIGKILL"), ENDS_WITHIN_MS);
  const { code, stdout } = await program.ended.finally(() => clearTimeout(timer));
  const lines = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  return { code, lines, log: program.log() };
}

/** Each call gets its own reply, however the server says it. */
export async function assertAllowedReplies(t: ExecutionContext, client: Command): Promise<void> {
  for (const [what, manner] of Object.entries(ALLOWED)) {
    const { origin, calls: received } = await startUnusualApi(t, manner);
    const { code, lines, log } = await calls(client, "launches", origin, { TIMEOUT_MS: "10000" });
    t.is(code, 0, `${what}: ${log}`);
    t.deepEqual(
      lines,
      PLAYERS.map((player) => ({ player, launch_url: launchUrlOf(player) })),
      what,
    );
    t.is(received.length, PLAYERS.length, `${what}: no launch is sent twice`);
  }
}

/** No call gets the reply to another call. After each fault the next call succeeds. */
export async function assertBrokenReplies(t: ExecutionContext, client: Command): Promise<void> {
  for (const [what, { manner, fails, pauseMs = 0 }] of Object.entries(BROKEN)) {
    const { origin, calls: received } = await startUnusualApi(t, manner);
    const { code, lines, log } = await calls(client, "launches", origin, { PAUSE_MS: String(pauseMs) });
    t.is(code, 0, `${what}: ${log}`);
    t.deepEqual(
      lines.map(({ player }) => player),
      PLAYERS,
      what,
    );
    for (const [i, { player = "", launch_url: url, error }] of lines.entries()) {
      if (url !== undefined) t.is(url, launchUrlOf(player), `${what}: ${JSON.stringify(lines)}`);
      if (i === 0 && fails !== undefined) t.truthy(error, `${what}: ${JSON.stringify(lines)}`);
      if (i === 0 && fails instanceof RegExp) t.regex(error ?? "", fails, what);
    }
    if (pauseMs > 0)
      t.is(lines[1]?.error, undefined, `${what}: the old connection is not used: ${JSON.stringify(lines)}`);
    t.is(lines.at(-1)?.error, undefined, `${what}: the client works again: ${JSON.stringify(lines)}`);
    t.is(received.length, PLAYERS.length, `${what}: no launch is sent twice`);
  }
}

/** A redirect's target gets no call, because it would get a signed one. */
export async function assertNoRedirects(t: ExecutionContext, client: Command): Promise<void> {
  const other = await startUnusualApi(t, before());
  for (const status of [301, 302, 303, 307, 308]) {
    const { origin } = await startUnusualApi(
      t,
      ({ socket }) => void socket.write(message(status, "", `Location: ${other.origin}/v1/game/launch\r\n`)),
    );
    const { lines } = await calls(client, "launches", origin);
    t.true(
      lines.length === PLAYERS.length && lines.every(({ error }) => error !== undefined),
      `${status}: ${JSON.stringify(lines)}`,
    );
  }
  t.deepEqual(other.calls, []);
}

/** A reply without end is given up, and takes little memory. */
export async function assertBoundedReplies(t: ExecutionContext, client: Command): Promise<void> {
  const piece = Buffer.alloc(1 << 20, " ");
  let sent = 0;
  const { origin } = await startUnusualApi(t, async ({ socket, reply, n }) => {
    if (n > 0) return void socket.write(reply);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${200 << 20}\r\n\r\n`);
    for (; sent < 200 && !socket.destroyed; sent++) await new Promise((written) => socket.write(piece, written));
  });
  const { lines } = await calls(client, "launches", origin, { TIMEOUT_MS: "30000" });
  t.true(sent < 120, `the client read ${sent} MiB`);
  t.deepEqual(
    lines.map(({ launch_url: url, error }) => url ?? (error === undefined ? "nothing" : "error")),
    ["error", launchUrlOf("bia"), launchUrlOf("caio")],
    JSON.stringify(lines),
  );
}

/** What every call has, and the bytes of ids that HTTP libraries like to change. */
export async function assertRequests(t: ExecutionContext, client: Command): Promise<void> {
  const { origin, calls: received } = await startUnusualApi(t, before());
  const { code, lines, log } = await calls(client, "operations", origin, { TIMEOUT_MS: "10000" });
  t.is(code, 0, log);
  t.is(lines.length, 9, log);
  for (const { method, target, headers, isGenuine } of received) {
    t.true(isGenuine, target);
    t.regex(headers["user-agent"] ?? "", /^game-aggregator-[a-z]+\/\d+\.\d+\.\d+$/, target);
    t.is(headers["accept-encoding"], "identity", target);
    t.is(headers["transfer-encoding"], undefined, target);
    if (method === "POST") t.regex(headers["content-length"] ?? "", /^\d+$/, `${target} has a length`);
  }
  for (const id of ["a/../b", "..a", "...", "a//b", "%2e%2e", "%2F", "a b+c", "?x#y;z", "a\\b", "ã&=", "~-_.!*'()"]) {
    const api = await startUnusualApi(t, before());
    const env = { TX_ID: id, ROUND_ID: id, GAME: id, TIMEOUT_MS: "10000" };
    const made = await calls(client, "operations", api.origin, env);
    t.is(made.code, 0, `${id}: ${made.log}`);
    t.is(made.lines.find(({ operation }) => operation === "transaction")?.value, id);
    for (const { target, isGenuine } of api.calls) t.true(isGenuine, `${id}: ${target}`);
    const paths = api.calls.map(({ target }) => target.split("?")[0]?.split("/").map(decodeURIComponent));
    t.true(
      paths.some((path) => path?.length === 5 && path[2] === "rounds" && path[4] === id),
      `${id}: the round is one segment of the path`,
    );
  }
  for (const [name, id] of [".", "..", ""].flatMap((id) => ["TX_ID", "ROUND_ID", "GAME"].map((name) => [name, id]))) {
    if (name === undefined || id === undefined) continue;
    const api = await startUnusualApi(t, before());
    const made = await calls(client, "operations", api.origin, { [name]: id, TIMEOUT_MS: "10000" });
    t.not(made.code, 0, `${name} ${JSON.stringify(id)}: ${made.log}`);
    t.true(
      api.calls.every(({ target }) => !/\/(\.|%2e)*(\/|\?|$)/i.test(target)),
      `${name} ${JSON.stringify(id)} is not sent: ${api.calls.map(({ target }) => target).join(" ")}`,
    );
    t.regex(made.log, /path/, "the error says why");
  }
}
