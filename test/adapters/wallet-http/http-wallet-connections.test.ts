import type { Socket } from "node:net";
import test from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import type { WalletReply } from "../../../src/ports/wallet.ts";
import { reply, startRawServer } from "./raw-server.ts";
import { bet, makeWallet, OK, pause, serve, target, until } from "./wallet-fixture.ts";

test.serial("a reply before the time-out is used, and a later reply is never read", async (t) => {
  const lateMs = 20_000;
  const server = await serve(t, (socket, _request, n) =>
    setTimeout(() => socket.write(OK), n === 1 ? 50 : lateMs).unref(),
  );
  const { wallet } = makeWallet(t, { timeoutMs: 2_000 });
  t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted");
  const late = await wallet.send(target(server.url), bet(), 2);
  t.deepEqual([late.answer, late.result, late.httpStatus], [{ kind: "silent" }, "timeout", null]);
  t.true(late.durationMs >= 1_995 && late.durationMs < lateMs);
  await until(t, "the socket is gone", () => server.open() === 0);
});

for (const [what, piece] of [
  ["headers arrive", "HTTP/1.1 200 OK\r\nx-padding: "],
  ["a body arrives", "HTTP/1.1 200 OK\r\n\r\n{"],
] as const) {
  test.serial(`the deadline does not move if ${what} slowly`, async (t) => {
    const server = await serve(t, (socket) => {
      socket.write(piece);
      const trickle = setInterval(() => (socket.destroyed ? clearInterval(trickle) : socket.write(" ")), 20);
    });
    const { result, durationMs } = await makeWallet(t, { timeoutMs: 300 }).wallet.send(target(server.url), bet(), 1);
    t.is(result, "timeout");
    t.true(durationMs >= 295 && durationMs < 20_000);
    await until(t, "the socket is gone", () => server.open() === 0);
  });
}

test.serial(
  "the time of a hanging name look-up counts towards the deadline, and nothing is sent after the deadline",
  async (t) => {
    const server = await serve(t, (socket) => socket.write(OK));
    const lookUpMs = 3_000;
    const lookUp = Promise.withResolvers<void>();
    const resolve = async () => {
      await pause(lookUpMs);
      lookUp.resolve();
      return [{ address: "127.0.0.1", family: 4 as const }];
    };
    const { wallet } = makeWallet(t, { timeoutMs: 150, resolve });
    const { result, durationMs } = await wallet.send(target(`http://wallet.example:${server.port}/`), bet(), 1);
    t.is(result, "timeout");
    t.true(durationMs >= 145 && durationMs < lookUpMs);
    await lookUp.promise;
    await pause(100);
    t.deepEqual(server.requests, []);
    t.is(server.open(), 0);
  },
);

test("a refused connection and an unknown name end as silent (connect)", async (t) => {
  const server = await startRawServer((socket) => socket.write(OK));
  await server.close();
  const { wallet } = makeWallet(t, {
    resolve: () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" })),
  });
  for (const url of [server.url, "http://nowhere.example/"]) {
    const { answer, result, httpStatus } = await wallet.send(target(url), bet(), 1);
    t.deepEqual([answer, result, httpStatus], [{ kind: "silent" }, "connect", null]);
  }
});

test("without a walletUrl, or with a walletUrl that breaks its rules, nothing is sent, and the call ends as silent (connect)", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t, { allowHttp: false, allowPrivate: false });
  for (const url of [
    null,
    "",
    "nonsense",
    server.url,
    server.url.replace("http", "https"),
    `https://user@wallet.example:${server.port}/`,
  ]) {
    t.is((await wallet.send(target(url), bet(), 1)).result, "connect", String(url));
  }
  t.is(server.accepted(), 0);
});

test("no packet is sent to a wallet whose name resolves to a private address", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const answers = [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::1"], ["169.254.169.254"], ["::ffff:127.0.0.1"]];
  let n = 0;
  const resolve = async () =>
    (answers[n++ % answers.length] ?? []).map((address) => ({
      address,
      family: address.includes(":") ? (6 as const) : (4 as const),
    }));
  const { wallet } = makeWallet(t, { allowPrivate: false, resolve });
  for (let i = 0; i < 50; i++)
    t.is((await wallet.send(target(`http://rebind.example:${server.port}/`), bet(), 1)).result, "connect");
  t.is(server.accepted(), 0);
});

test("a good connection is used again, and no call waits for a connection", async (t) => {
  const held: Socket[] = [];
  const server = await serve(t, (socket, _request, n) => {
    if (n <= 10) socket.write(OK);
    // The server answers the twenty calls only when all of them have arrived.
    else if (held.push(socket) === 20) for (const one of held) one.write(OK);
  });
  const { wallet } = makeWallet(t, { timeoutMs: 5_000 });
  for (let i = 0; i < 10; i++) await wallet.send(target(server.url), bet(), 1);
  t.is(server.accepted(), 1);
  const calls = await Promise.all(Array.from({ length: 20 }, () => wallet.send(target(server.url), bet(), 1)));
  t.true(calls.every(({ result }) => result === "accepted"));
  t.is(server.accepted(), 20);
});

test.serial(
  "a thousand hanging calls of other merchants to one walletUrl delay no call, and close ends all of their sockets",
  async (t) => {
    const server = await serve(t, (socket, request) => request.includes("shop-7\r\n") && socket.write(OK));
    const { wallet } = makeWallet(t, { timeoutMs: 60_000 });
    let ended = 0;
    const hang = (merchantId: number): Promise<unknown> =>
      wallet.send(target(server.url, merchantId), bet(), 1).then(() => (ended += 1));
    const hanging = Array.from({ length: 1_000 }, (_, n) => hang(100 + (n % 20)));
    await until(t, "all hang", () => server.requests.length === 1_000);
    for (let i = 0; i < 5; i++) t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted");
    t.is(ended, 0);
    wallet.close();
    await Promise.all(hanging);
    await until(t, "no socket is left", () => server.open() === 0);
  },
);

test("two merchants with the same walletUrl share no connection", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  for (const merchantId of [1, 2, 1, 2]) await wallet.send(target(server.url, merchantId), bet({ merchantId }), 1);
  t.is(server.accepted(), 2);
});

test("if a wallet closes each connection, announced or not, the next call uses a new connection", async (t) => {
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

test("if the wallet closes the connection while the request is sent, the call ends as silent, and the request is written at most once", async (t) => {
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

test("unexpected bytes on a connection never become the reply to its next call", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    socket.write(n === 1 ? Buffer.concat([OK, reply(200, '{"ok":true,"balance":1}')]) : OK),
  );
  const { wallet } = makeWallet(t);
  await wallet.send(target(server.url), bet(), 1);
  await pause(20);
  t.deepEqual((await wallet.send(target(server.url), bet(), 1)).answer, { kind: "accepted", balanceMinor: 9_750n });
  t.is(server.accepted(), 2);
});

test("after a change of the walletUrl the next attempt goes to the new URL, and the old sockets close", async (t) => {
  const before = await serve(t, (socket) => socket.write(OK));
  const after = await serve(t, (socket) => socket.write(OK));
  const { wallet } = makeWallet(t);
  await wallet.send(target(before.url), bet(), 1);
  await wallet.send(target(after.url), bet(), 2);
  t.deepEqual([before.requests.length, after.requests.length], [1, 1]);
  await until(t, "the old socket is gone", () => before.open() === 0);
});

test("a call that runs while the walletUrl changes is answered, and its socket is closed", async (t) => {
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
  t.true(performance.now() - began < 3_000, "and not because it was idle for long");
});

test("a call that has ended leaves no timer", async (t) => {
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

test("close ends every socket; running and later calls end as silent (connect)", async (t) => {
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

test("idle sockets are closed after a few seconds, even if the wallet offers a longer time", async (t) => {
  const server = await serve(t, (socket) =>
    socket.write(reply(200, '{"ok":true,"balance":1}', "keep-alive: timeout=600\r\n")),
  );
  const { wallet } = makeWallet(t);
  await Promise.all([1, 2, 3].map(() => wallet.send(target(server.url), bet(), 1)));
  t.is(server.open(), 3);
  await pause(4_000);
  await until(t, "they are closed", () => server.open() === 0);
});
