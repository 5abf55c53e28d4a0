import type { Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/identifiers.ts";
import type { WalletReply } from "../../../src/ports/wallet.ts";
import { cases } from "../../vectors/signing.ts";
import { type RawServer, reply, startRawServer } from "./raw-server.ts";
import { bet, makeWallet, query, SECRET, target } from "./wallet-fixture.ts";

const OK = reply(200, '{"ok":true,"balance":97.5}');

async function serve(t: ExecutionContext, respond: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(respond);
  t.teardown(() => server.close());
  return server;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(t: ExecutionContext, what: string, holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 10_000; waited += 10) await pause(10);
  t.true(holds(), what);
}

function header(request: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)\r$`, "im").exec(request ?? "")?.[1];
}

/** Content of the three callback vectors, by name. */
const callbacks = {
  "callback balance": query(),
  "callback bet": bet({
    ...{ playerId: "joão-1" as PlayerId, txId: "SPORTSBOOK:t_1" as TxId, roundId: "r_1" },
    game: { id: 1, code: "sportsbook", providerId: 1, provider: "SPORTSBOOK" as ProviderCode },
  }),
  "callback refund in CLP": bet({
    ...{
      action: "refund",
      playerId: "u-9" as PlayerId,
      currency: "CLP",
      txId: "ACME:r1" as TxId,
      roundId: "r",
      amountMinor: 1_500n,
      refTxId: "ACME:t1" as TxId,
    },
    game: { id: 1, code: "x", providerId: 1, provider: "ACME" as ProviderCode },
  }),
} as const;

for (const [name, content] of Object.entries(callbacks)) {
  test(`the wallet receives the vector "${name}", byte for byte`, async (t) => {
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

test("a request carries the documented headers, and asks for no compression", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  const { requestId } = await wallet.send(target(server.url), bet(), 3);
  const [request] = server.requests;
  t.is(header(request, "Content-Type"), "application/json");
  t.is(header(request, "X-Merchant-Id"), "shop-7");
  t.is(header(request, "X-Attempt"), "3");
  t.is(header(request, "X-Request-Id"), requestId);
  t.regex(requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.is(header(request, "Accept-Encoding"), undefined);
  t.is(header(request, "Host"), `127.0.0.1:${server.port}`);
});

test("each attempt is the same body under a fresh nonce, signature and request id", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  for (const attempt of [1, 2, 3]) await wallet.send(target(server.url), bet(), attempt);
  for (const name of ["X-Nonce", "X-Signature", "X-Request-Id"]) t.is(new Set(server.requests.map((request) => header(request, name))).size, 3, name);
  t.is(new Set(server.requests.map((request) => request.split("\r\n\r\n")[1])).size, 1);
});

test("an answer is told with its status, request id and duration", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    setTimeout(() => socket.write(n === 1 ? OK : reply(422, '{"ok":false,"error":"insufficient_funds"}')), 50),
  );
  const { wallet } = makeWallet(t);
  const accepted = await wallet.send(target(server.url), bet(), 1);
  t.deepEqual(accepted.answer, { kind: "accepted", balanceMinor: 9_750n });
  t.is(accepted.result, "accepted");
  t.is(accepted.httpStatus, 200);
  t.true(accepted.durationMs >= 45 && accepted.durationMs < 2_000 && Number.isInteger(accepted.durationMs));
  const rejected = await wallet.balance(target(server.url), query());
  t.deepEqual(rejected.answer, { kind: "rejected", error: "INSUFFICIENT_FUNDS" });
  t.is(rejected.httpStatus, 422);
});

/** Replies by what becomes of them. The second column: `close` cuts the connection after the bytes. */
const replies: readonly (readonly [string, Buffer | string, "stay" | "close" | "reset", string, number | null])[] = [
  ["nothing, and a close", "", "close", "connect", null],
  ["a reset", "", "reset", "connect", null],
  ["half a status line", "HTTP/1.1 20", "close", "connect", null],
  ["headers, and a close", "HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\n", "close", "connect", 200],
  ["half of the body", OK.subarray(0, -5), "close", "connect", 200],
  ["half of the body, and a reset", OK.subarray(0, -5), "reset", "connect", 200],
  ["an unfinished chunk", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1a\r\n{"ok":true,"balance":97.5}\r\n', "close", "connect", 200],
  ["no HTTP", "220 smtp.example ESMTP\r\n", "stay", "connect", null],
  ["two lengths", 'HTTP/1.1 200 OK\r\ncontent-length: 26\r\ncontent-length: 27\r\n\r\n{"ok":true,"balance":97.5}', "stay", "connect", null],
  ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n", "stay", "connect", null],
  ["an endless header", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`, "stay", "connect", null],
  ["status 500 and a success", reply(500, '{"ok":true,"balance":97.5}'), "stay", "http_5xx", 500],
  ["status 503 and nothing", reply(503, ""), "stay", "http_5xx", 503],
  ["status 204", "HTTP/1.1 204 No Content\r\n\r\n", "stay", "not_json", 204],
  ["a web page", reply(200, "<html></html>", "content-type: application/json\r\n"), "stay", "not_json", 200],
  ["a redirect", reply(307, "", "location: http://127.0.0.1:1/\r\n"), "stay", "not_json", 307],
  ["JSON without ok", reply(200, '{"success":true}'), "stay", "no_ok", 200],
  ["a success without balance", reply(404, '{"ok":true}'), "stay", "no_balance", 404],
  ["64 KiB and a byte", reply(200, `{"ok":true,"balance":1,"x":"${"a".repeat(65_537 - 29)}"}`), "stay", "too_large", 200],
  ["a compressed body", reply(200, Buffer.from("1f8b0800000000000003", "hex"), "content-encoding: gzip\r\n"), "stay", "not_json", 200],
];

for (const [what, bytes, then, result, status] of replies) {
  test(`${what}: silent (${result}), and the socket is gone`, async (t) => {
    const server = await serve(t, (socket) => {
      if (then === "stay") socket.write(bytes);
      else if (then === "close") socket.end(bytes);
      else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 10));
    });
    const { wallet } = makeWallet(t);
    const silent = await wallet.send(target(server.url), bet(), 1);
    t.deepEqual([silent.answer, silent.result, silent.httpStatus], [{ kind: "silent" }, result as WalletReply["result"], status]);
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

test("an endless body is cut at 64 KiB", async (t) => {
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

/** What has no end of its own in HTTP, beside a body: a beginning, and what follows for ever. */
const floods: Readonly<Record<string, readonly [string, string]>> = {
  "interim replies": ["", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  "empty lines before the status": ["", "\r\n"],
  "a chunk's extension": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "a"],
  "a chunk's length": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "0"],
  headers: ["HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  trailers: ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x: y\r\n"],
};

for (const [what, [head, unit]] of Object.entries(floods)) {
  test.serial(`${what} without end: cut long before the deadline`, async (t) => {
    let written = 0;
    const block = Buffer.from(unit.repeat(Math.floor(65_536 / unit.length)));
    const server = await serve(t, (socket) => {
      socket.write(head);
      const more = (): void => {
        // Some at a time: this process reads them as well.
        for (let i = 0; i < 4 && !socket.destroyed && written < 100_000_000; i++, written += block.length) if (!socket.write(block)) return;
        if (!socket.destroyed) setImmediate(more);
      };
      socket.on("drain", more);
      more();
    });
    const { answer, result } = await makeWallet(t, { timeoutMs: 60_000 }).wallet.send(target(server.url), bet(), 1);
    t.deepEqual([answer, result], [{ kind: "silent" }, what === "headers" || what === "trailers" ? "connect" : "too_large"]);
    await until(t, "the socket is gone", () => server.open() === 0);
    t.true(written < 50_000_000, String(written));
  });
}

test("replies in any pieces are read: chunked, byte by byte, until the close, after interim replies", async (t) => {
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

test("a redirect is not followed, its body decides", async (t) => {
  const elsewhere = await serve(t, (socket) => socket.write(OK));
  const server = await serve(t, (socket) => socket.write(reply(302, '{"ok":false,"error":"moved"}', `location: ${elsewhere.url}\r\n`)));
  const { answer } = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
  t.deepEqual(answer, { kind: "rejected", error: "MOVED" });
  t.is(elsewhere.accepted(), 0);
});

test.serial("a reply before the time-out counts, a later one is never read", async (t) => {
  const server = await serve(t, (socket, _request, n) => setTimeout(() => socket.write(OK), n === 1 ? 50 : 1_500));
  const { wallet } = makeWallet(t, { timeoutMs: 600 });
  t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted");
  const late = await wallet.send(target(server.url), bet(), 2);
  t.deepEqual([late.answer, late.result, late.httpStatus], [{ kind: "silent" }, "timeout", null]);
  t.true(late.durationMs >= 595 && late.durationMs < 1_500);
  await until(t, "the socket is gone", () => server.open() === 0);
});

for (const [what, piece] of [
  ["headers", "HTTP/1.1 200 OK\r\nx-padding: "],
  ["a body", "HTTP/1.1 200 OK\r\n\r\n{"],
] as const) {
  test.serial(`${what} that trickle in don't move the deadline`, async (t) => {
    const server = await serve(t, (socket) => {
      socket.write(piece);
      const trickle = setInterval(() => (socket.destroyed ? clearInterval(trickle) : socket.write(" ")), 20);
    });
    const { result, durationMs } = await makeWallet(t, { timeoutMs: 300 }).wallet.send(target(server.url), bet(), 1);
    t.is(result, "timeout");
    t.true(durationMs >= 295 && durationMs < 1_500);
    await until(t, "the socket is gone", () => server.open() === 0);
  });
}

test.serial("a name look-up that hangs counts towards the deadline, and nothing is sent after it", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const resolve = () => pause(700).then(() => [{ address: "127.0.0.1", family: 4 as const }]);
  const { wallet } = makeWallet(t, { timeoutMs: 150, resolve });
  const { result, durationMs } = await wallet.send(target(`http://wallet.example:${server.port}/`), bet(), 1);
  t.is(result, "timeout");
  t.true(durationMs >= 145 && durationMs < 700);
  await pause(700);
  t.deepEqual(server.requests, []);
  t.is(server.open(), 0);
});

test("a refused connection and an unknown name are silent (connect)", async (t) => {
  const server = await startRawServer((socket) => socket.write(OK));
  await server.close();
  const { wallet } = makeWallet(t, { resolve: () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" })) });
  for (const url of [server.url, "http://nowhere.example/"]) {
    const { answer, result, httpStatus } = await wallet.send(target(url), bet(), 1);
    t.deepEqual([answer, result, httpStatus], [{ kind: "silent" }, "connect", null]);
  }
});

test("without a walletUrl, or with one that breaks its rules, nothing is sent: silent (connect)", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t, { allowHttp: false, allowPrivate: false });
  for (const url of [null, "", "nonsense", server.url, server.url.replace("http", "https"), `https://user@wallet.example:${server.port}/`]) {
    t.is((await wallet.send(target(url), bet(), 1)).result, "connect", String(url));
  }
  t.is(server.accepted(), 0);
});

test("a name that leads to a private address gets no packet", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const answers = [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::1"], ["169.254.169.254"], ["::ffff:127.0.0.1"]];
  let n = 0;
  const resolve = async () =>
    (answers[n++ % answers.length] ?? []).map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) }));
  const { wallet } = makeWallet(t, { allowPrivate: false, resolve });
  for (let i = 0; i < 50; i++) t.is((await wallet.send(target(`http://rebind.example:${server.port}/`), bet(), 1)).result, "connect");
  t.is(server.accepted(), 0);
});

test("a sound connection is used again, and no call waits for one", async (t) => {
  const held: Socket[] = [];
  const server = await serve(t, (socket, _request, n) => {
    if (n <= 10) socket.write(OK);
    // The replies to the twenty come when all are there.
    else if (held.push(socket) === 20) for (const one of held) one.write(OK);
  });
  const { wallet } = makeWallet(t, { timeoutMs: 5_000 });
  for (let i = 0; i < 10; i++) await wallet.send(target(server.url), bet(), 1);
  t.is(server.accepted(), 1);
  const calls = await Promise.all(Array.from({ length: 20 }, () => wallet.send(target(server.url), bet(), 1)));
  t.true(calls.every(({ result }) => result === "accepted"));
  t.is(server.accepted(), 20);
});

test.serial("a thousand hanging calls of other merchants to the same walletUrl hold up no call, and close leaves none of their sockets", async (t) => {
  const server = await serve(t, (socket, request) => request.includes("shop-7\r\n") && socket.write(OK));
  const { wallet } = makeWallet(t, { timeoutMs: 60_000 });
  let ended = 0;
  const hang = (merchantId: number): Promise<unknown> => wallet.send(target(server.url, merchantId), bet(), 1).then(() => (ended += 1));
  const hanging = Array.from({ length: 1_000 }, (_, n) => hang(100 + (n % 20)));
  await until(t, "all hang", () => server.requests.length === 1_000);
  for (let i = 0; i < 5; i++) t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted");
  t.is(ended, 0);
  wallet.close();
  await Promise.all(hanging);
  await until(t, "no socket is left", () => server.open() === 0);
});

test("two merchants with one walletUrl share no connection", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  for (const merchantId of [1, 2, 1, 2]) await wallet.send(target(server.url, merchantId), bet({ merchantId }), 1);
  t.is(server.accepted(), 2);
});

test("a wallet that closes each connection, said or unsaid, is called again over a new one", async (t) => {
  const server = await serve(t, (socket, _request, n) => {
    if (n <= 3) socket.end(reply(200, '{"ok":true,"balance":1}', "connection: close\r\n"));
    else socket.write(OK, () => setTimeout(() => socket.destroy(), 5));
  });
  const { wallet } = makeWallet(t);
  for (let i = 0; i < 6; i++) {
    t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted");
    await pause(30);
  }
  t.is(server.requests.length, 6);
});

test("a connection that the wallet closes as we send is silent, and the request is written at most once", async (t) => {
  const server = await serve(t, (socket, _request, n) => (n % 2 === 1 ? socket.write(OK) : socket.destroy()));
  const { wallet } = makeWallet(t);
  const results = [];
  for (let i = 0; i < 20; i++) results.push((await wallet.send(target(server.url), bet(), 1)).result);
  t.deepEqual(
    results,
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "accepted" : "connect")),
  );
  t.is(server.requests.length, 20);
});

test("bytes that nobody asked for never become the reply to the next call", async (t) => {
  const server = await serve(t, (socket, _request, n) => socket.write(n === 1 ? Buffer.concat([OK, reply(200, '{"ok":true,"balance":1}')]) : OK));
  const { wallet } = makeWallet(t);
  await wallet.send(target(server.url), bet(), 1);
  await pause(20);
  t.deepEqual((await wallet.send(target(server.url), bet(), 1)).answer, { kind: "accepted", balanceMinor: 9_750n });
  t.is(server.accepted(), 2);
});

test("a changed walletUrl is called from the next attempt on, and the old sockets close", async (t) => {
  const before = await serve(t, (socket) => socket.write(OK));
  const after = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  await wallet.send(target(before.url), bet(), 1);
  await wallet.send(target(after.url), bet(), 2);
  t.deepEqual([before.requests.length, after.requests.length], [1, 1]);
  await until(t, "the old socket is gone", () => before.open() === 0);
});

test("a call that runs while the walletUrl changes is answered, and its socket isn't kept", async (t) => {
  const held: Socket[] = [];
  const before = await serve(t, (socket) => held.push(socket));
  const after = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  const running = wallet.send(target(before.url), bet(), 1);
  await until(t, "it runs", () => held.length === 1);
  await wallet.send(target(after.url), bet(), 1);
  held[0]?.write(OK);
  t.is((await running).result, "accepted");
  const began = performance.now();
  await until(t, "the old socket is gone", () => before.open() === 0);
  t.true(performance.now() - began < 3_000, "and not by growing idle");
});

test("a call that is over leaves no timer behind", async (t) => {
  let timers = 0;
  const clock = new SystemClock();
  const counted = Object.assign(new SystemClock(), {
    after: (ms: number, run: () => void) => {
      timers += 1;
      const cancel = clock.after(ms, run);
      return () => {
        timers -= 1;
        cancel();
      };
    },
  });
  const server = await serve(t, (socket, _request, n) => (n === 1 ? socket.write(OK) : socket.destroy()));
  const { wallet } = makeWallet(t, {}, counted);
  for (const result of ["accepted", "connect"]) {
    const call = wallet.send(target(server.url), bet(), 1);
    t.is(timers, 1);
    t.is((await call).result, result as WalletReply["result"]);
    t.is(timers, 0);
  }
});

test("close ends every socket; what runs, and what comes later, is silent (connect)", async (t) => {
  const server = await serve(t, (socket, _request, n) => n === 1 && socket.write(OK));
  const { wallet } = makeWallet(t);
  await wallet.send(target(server.url), bet(), 1);
  const running = [wallet.send(target(server.url), bet(), 1), wallet.send(target(server.url), bet(), 1)];
  await until(t, "both run", () => server.requests.length === 3);
  wallet.close();
  for (const { result } of await Promise.all(running)) t.is(result, "connect");
  t.is((await wallet.send(target(server.url), bet(), 1)).result, "connect");
  await until(t, "no socket is left", () => server.open() === 0);
});

test("idle sockets close after a few seconds, whatever the wallet offers", async (t) => {
  const server = await serve(t, (socket) => socket.write(reply(200, '{"ok":true,"balance":1}', "keep-alive: timeout=600\r\n")));
  const { wallet } = makeWallet(t);
  await Promise.all([1, 2, 3].map(() => wallet.send(target(server.url), bet(), 1)));
  t.is(server.open(), 3);
  await pause(4_000);
  await until(t, "they are closed", () => server.open() === 0);
});

test("five 401s in a row raise the alert wallet_401s, once, per merchant", async (t) => {
  let status = 401;
  const server = await serve(t, (socket) => socket.write(reply(status, '{"ok":false,"error":"INVALID_SIGNATURE"}')));
  const { wallet, telemetry } = makeWallet(t);
  const call = async (times: number, merchantId = 7): Promise<void> => {
    for (let i = 0; i < times; i++) await wallet.send(target(server.url, merchantId), bet(), 1);
  };
  await call(4);
  status = 200;
  await call(1);
  status = 401;
  await call(4);
  await call(4, 8);
  t.deepEqual(telemetry.alerts, []);
  await call(3);
  t.deepEqual(telemetry.alerts, [{ name: "wallet_401s", fields: { merchant: "shop-7", in_a_row: 5 } }]);
});

test("a balance that isn't exact is a success, and raises the alert balance_precision", async (t) => {
  const server = await serve(t, (socket, _request, n) => socket.write(reply(200, `{"ok":true,"balance":${n === 1 ? "10.129" : "1e300"}}`)));
  const { wallet, telemetry } = makeWallet(t);
  t.deepEqual((await wallet.send(target(server.url), bet(), 1)).answer, { kind: "accepted", balanceMinor: 1_012n });
  t.deepEqual((await wallet.balance(target(server.url), query())).answer, { kind: "accepted", balanceMinor: null });
  t.deepEqual(telemetry.alerts, [
    { name: "balance_precision", fields: { merchant: "shop-7", tx_id: "ACME:t-1", balance: 10.129 } },
    { name: "balance_precision", fields: { merchant: "shop-7", tx_id: null, balance: 1e300 } },
  ]);
});

test("redirects raise the alert wallet_redirects, once until the wallet has answered without one", async (t) => {
  let status = 307;
  const server = await serve(t, (socket) => socket.write(reply(status, '{"ok":false,"error":"MOVED"}', "location: https://elsewhere.example/\r\n")));
  const { wallet, telemetry } = makeWallet(t);
  for (const next of [307, 302, 200, 301]) {
    status = next;
    await wallet.send(target(server.url), bet(), 1);
  }
  t.deepEqual(telemetry.alerts, [
    { name: "wallet_redirects", fields: { merchant: "shop-7", why: "307" } },
    { name: "wallet_redirects", fields: { merchant: "shop-7", why: "301" } },
  ]);
});

test("a name that leads to a private address raises the alert wallet_address, once", async (t) => {
  const { wallet, telemetry } = makeWallet(t, { allowPrivate: false, resolve: async () => [{ address: "169.254.169.254", family: 4 }] });
  for (let i = 0; i < 3; i++) await wallet.send(target("https://metadata.example/"), bet(), 1);
  const why = "metadata.example leads to 169.254.169.254, which is no public address";
  t.deepEqual(telemetry.alerts, [{ name: "wallet_address", fields: { merchant: "shop-7", why } }]);
});

test("alerts and results carry no secret", async (t) => {
  const server = await serve(t, (socket) => socket.write(reply(401, '{"ok":true,"balance":0.001}')));
  const { wallet, telemetry } = makeWallet(t);
  const told = await Promise.all(Array.from({ length: 6 }, () => wallet.send(target(server.url), bet(), 1)));
  const seen = JSON.stringify([telemetry, told], (_key, value) => (typeof value === "bigint" ? String(value) : value));
  t.is(telemetry.alerts.length, 7);
  t.false(seen.includes(SECRET));
});
