import test from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import { VERSION } from "../../../src/domain/values/product.ts";
import type { WalletReply } from "../../../src/ports/wallet.ts";
import { cases } from "../../domain/signing/vectors.ts";
import { reply } from "./raw-server.ts";
import { bet, header, makeWallet, OK, pause, query, serve, target, until } from "./wallet-fixture.ts";

/** Content of the three callback vectors, by name. */
const callbacks = {
  "callback balance": query(),
  "callback bet": bet({
    playerId: "joão-1" as PlayerId,
    txId: "SPORTSBOOK:t_1" as TxId,
    roundId: "r_1",
    game: { id: 1, code: "sportsbook", providerId: 1, provider: "SPORTSBOOK" as ProviderCode },
  }),
  "callback refund in CLP": bet({
    action: "refund",
    playerId: "u-9" as PlayerId,
    currency: "CLP",
    txId: "ACME:r1" as TxId,
    roundId: "r",
    amountMinor: 1_500n,
    refTxId: "ACME:t1" as TxId,
    game: { id: 1, code: "x", providerId: 1, provider: "ACME" as ProviderCode },
  }),
} as const;

for (const [name, content] of Object.entries(callbacks)) {
  test(`the wallet receives the test vector "${name}", byte for byte`, async (t) => {
    const vector = cases.find((entry) => entry.name === name);
    if (vector === undefined) return t.fail("no such vector");
    const server = await serve(t, (socket) => socket.write(OK));
    const clock = Object.assign(new SystemClock(), { now: () => Number(vector.timestamp) });
    const random = Object.assign(new SystemRandom(), { token: () => vector.nonce });
    const { wallet } = makeWallet(t, {}, clock, random);
    const to = target(`http://127.0.0.1:${server.port}${vector.target === "/" ? "" : vector.target}`);
    t.is((await ("action" in content ? wallet.send(to, content, 1) : wallet.balance(to, content))).result, "accepted");
    const [request = ""] = server.requests;
    t.is(request.slice(0, request.indexOf("\r\n")), `POST ${vector.target} HTTP/1.1`);
    t.is(request.slice(request.indexOf("\r\n\r\n") + 4), vector.body);
    t.is(header(request, "X-Timestamp"), vector.timestamp);
    t.is(header(request, "X-Nonce"), vector.nonce);
    t.is(header(request, "X-Signature"), vector.signature);
  });
}

test("a request has the type of its body, merchant, attempt, request id and host as headers, names the product, and does not accept compressed replies", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  const { requestId } = await wallet.send(target(server.url), bet(), 3);
  const [request] = server.requests;
  t.is(header(request, "Content-Type"), "application/json");
  t.is(header(request, "X-Merchant-Id"), "shop-7");
  t.is(header(request, "X-Attempt"), "3");
  t.is(header(request, "X-Request-Id"), requestId);
  t.regex(requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.is(header(request, "Accept-Encoding"), "identity");
  t.is(header(request, "User-Agent"), `game-aggregator/${VERSION}`);
  t.is(header(request, "Host"), `127.0.0.1:${server.port}`);
});

test("each attempt has the same body with a new nonce, signature and request id", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  for (const attempt of [1, 2, 3]) await wallet.send(target(server.url), bet(), attempt);
  for (const name of ["X-Nonce", "X-Signature", "X-Request-Id"])
    t.is(new Set(server.requests.map((request) => header(request, name))).size, 3, name);
  t.is(new Set(server.requests.map((request) => request.split("\r\n\r\n")[1])).size, 1);
});

test("the reply has the wallet's answer with its status, request id and duration", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    setTimeout(() => socket.write(n === 1 ? OK : reply(422, '{"ok":false,"error":"insufficient_funds"}')), 50),
  );
  const { wallet } = makeWallet(t);
  const began = performance.now();
  const accepted = await wallet.send(target(server.url), bet(), 1);
  const tookMs = Math.ceil(performance.now() - began);
  t.deepEqual(accepted.answer, { kind: "accepted", balanceMinor: 9_750n });
  t.is(accepted.result, "accepted");
  t.is(accepted.httpStatus, 200);
  t.true(accepted.durationMs >= 45 && accepted.durationMs <= tookMs && Number.isInteger(accepted.durationMs));
  const rejected = await wallet.balance(target(server.url), query());
  t.deepEqual(rejected.answer, { kind: "rejected", error: "INSUFFICIENT_FUNDS" });
  t.is(rejected.httpStatus, 422);
});

/** Replies by their result. The second column: `close` cuts the connection after the bytes. */
const replies: readonly (readonly [string, Buffer | string, "stay" | "close" | "reset", string, number | null])[] = [
  ["nothing, and a close", "", "close", "connect", null],
  ["a reset", "", "reset", "connect", null],
  ["half a status line", "HTTP/1.1 20", "close", "connect", null],
  ["headers, and a close", "HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\n", "close", "connect", 200],
  ["half of the body", OK.subarray(0, -5), "close", "connect", 200],
  ["half of the body, and a reset", OK.subarray(0, -5), "reset", "connect", 200],
  [
    "an unfinished chunk",
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1a\r\n{"ok":true,"balance":97.5}\r\n',
    "close",
    "connect",
    200,
  ],
  ["no HTTP", "220 smtp.example ESMTP\r\n", "stay", "connect", null],
  [
    "two lengths",
    'HTTP/1.1 200 OK\r\ncontent-length: 26\r\ncontent-length: 27\r\n\r\n{"ok":true,"balance":97.5}',
    "stay",
    "connect",
    null,
  ],
  [
    "a switch of protocols",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    "stay",
    "connect",
    null,
  ],
  ["an endless header", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`, "stay", "connect", null],
  ["status 500 and a success", reply(500, '{"ok":true,"balance":97.5}'), "stay", "http_5xx", 500],
  ["status 503 and nothing", reply(503, ""), "stay", "http_5xx", 503],
  ["status 204", "HTTP/1.1 204 No Content\r\n\r\n", "stay", "not_json", 204],
  ["a web page", reply(200, "<html></html>", "content-type: application/json\r\n"), "stay", "not_json", 200],
  ["a redirect", reply(307, "", "location: http://127.0.0.1:1/\r\n"), "stay", "not_json", 307],
  ["JSON without ok", reply(200, '{"success":true}'), "stay", "no_ok", 200],
  ["a success without balance", reply(404, '{"ok":true}'), "stay", "no_balance", 404],
  [
    "64 KiB and a byte",
    reply(200, `{"ok":true,"balance":1,"x":"${"a".repeat(65_537 - 29)}"}`),
    "stay",
    "too_large",
    200,
  ],
  [
    "a compressed body",
    reply(200, Buffer.from("1f8b0800000000000003", "hex"), "content-encoding: gzip\r\n"),
    "stay",
    "not_json",
    200,
  ],
];

for (const [what, bytes, then, result, status] of replies) {
  test(`if the wallet sends ${what}, the call ends as silent (${result}) and the socket is closed`, async (t) => {
    const server = await serve(t, (socket) => {
      if (then === "stay") socket.write(bytes);
      else if (then === "close") socket.end(bytes);
      else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 10));
    });
    const { wallet } = makeWallet(t);
    const silent = await wallet.send(target(server.url), bet(), 1);
    t.deepEqual(
      [silent.answer, silent.result, silent.httpStatus],
      [{ kind: "silent" }, result as WalletReply["result"], status],
    );
    await until(t, "no socket is left", () => server.open() === 0);
    t.is(server.requests.length, 1, "the request was written once");
  });
}

test("a body of exactly 64 KiB is read", async (t) => {
  const body = `{"ok":true,"balance":1,"x":"${"a".repeat(65_536 - 30)}"}`;
  t.is(body.length, 65_536);
  const server = await serve(t, (socket) => socket.write(reply(200, body)));
  t.is((await makeWallet(t).wallet.send(target(server.url), bet(), 1)).result, "accepted");
});

test("the read of an endless body ends at 64 KiB", async (t) => {
  let written = 0;
  const server = await serve(t, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const more = (): void => {
      while (!socket.destroyed && written < 100_000_000 && socket.write(Buffer.alloc(16_384, " "))) written += 16_384;
    };
    socket.on("drain", more);
    more();
  });
  const { result } = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
  t.is(result, "too_large");
  await until(t, "the socket is gone", () => server.open() === 0);
  t.true(written < 50_000_000);
});

/** Endless parts of an HTTP reply other than the body: a beginning, and a part that is repeated for ever. */
const floods: Readonly<Record<string, readonly [string, string]>> = {
  "interim replies": ["", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  "empty lines before the status": ["", "\r\n"],
  "a chunk's extension": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "a"],
  "a chunk's length": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "0"],
  headers: ["HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  trailers: ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x: y\r\n"],
};

for (const [what, [head, unit]] of Object.entries(floods)) {
  test.serial(`the read of ${what} without end is ended long before the deadline`, async (t) => {
    let written = 0;
    const block = Buffer.from(unit.repeat(Math.floor(65_536 / unit.length)));
    const server = await serve(t, (socket) => {
      socket.write(head);
      const more = (): void => {
        // Writes only a few blocks at a time, because this process also reads them.
        for (let i = 0; i < 4 && !socket.destroyed && written < 100_000_000; i++, written += block.length)
          if (!socket.write(block)) return;
        if (!socket.destroyed) setImmediate(more);
      };
      socket.on("drain", more);
      more();
    });
    const { answer, result } = await makeWallet(t, { timeoutMs: 60_000 }).wallet.send(target(server.url), bet(), 1);
    t.deepEqual(
      [answer, result],
      [{ kind: "silent" }, what === "headers" || what === "trailers" ? "connect" : "too_large"],
    );
    await until(t, "the socket is gone", () => server.open() === 0);
    t.true(written < 50_000_000, String(written));
  });
}

test("a reply is read in any pieces: chunked, byte by byte, until the close, after interim replies", async (t) => {
  const json = '{"ok":true,"balance":97.5}';
  const pieces = [
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n${json.slice(0, 5)}\r\n15\r\n${json.slice(5)}\r\n0\r\n\r\n`,
    OK.toString(),
    `HTTP/1.0 200 OK\r\n\r\n${json}`,
    `HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\nconnection: close\r\n\r\n${json}`,
  ];
  const server = await serve(t, async (socket, _request, n) => {
    const text = pieces[n - 1] ?? "";
    if (n === 2) for (const byte of text) socket.write(byte) && (await pause(1));
    else if (n >= 3) socket.end(text);
    else socket.write(text);
  });
  const { wallet } = makeWallet(t);
  for (const _ of pieces) {
    const { answer, httpStatus } = await wallet.send(target(server.url), bet(), 1);
    t.deepEqual(answer, { kind: "accepted", balanceMinor: 9_750n });
    t.is(httpStatus, 200);
  }
});

test("a redirect is not followed, and its body decides the answer", async (t) => {
  const elsewhere = await serve(t, (socket) => socket.write(OK));
  const server = await serve(t, (socket) =>
    socket.write(reply(302, '{"ok":false,"error":"moved"}', `location: ${elsewhere.url}\r\n`)),
  );
  const { answer } = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
  t.deepEqual(answer, { kind: "rejected", error: "MOVED" });
  t.is(elsewhere.accepted(), 0);
});
