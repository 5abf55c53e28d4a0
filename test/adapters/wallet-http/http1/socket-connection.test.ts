/** What the own HTTP client does with its sockets. `ReplyReader` has the rules for the bytes of a reply. */
import { createServer, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { SystemClock } from "../../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../../src/adapters/system/system-random.ts";
import { CLIENTS } from "../../../../src/adapters/wallet-http/clients.ts";
import type { Connection, WalletClient } from "../../../../src/adapters/wallet-http/connection.ts";
import { WalletConnectors } from "../../../../src/adapters/wallet-http/connector.ts";
import { type Ending, Exchange } from "../../../../src/adapters/wallet-http/exchange.ts";
import { postBytes } from "../../../../src/adapters/wallet-http/http1/request.ts";
import { reply } from "../raw-server.ts";
import { bet, makeWallet, OK, pause, serve, target, until } from "../wallet-fixture.ts";

const connector = new WalletConnectors({ timeoutMs: 5_000, allowHttp: true, allowPrivate: true }).make();

function connect(t: ExecutionContext, url: string, client: WalletClient = "own"): Connection & { left(): number } {
  let left = 0;
  const connection = CLIENTS[client](new URL(url).origin, connector, () => {
    left += 1;
  });
  t.teardown(() => connection.destroy());
  return Object.assign(connection, { left: () => left });
}

const post = (connection: Connection, body = "{}", headers: readonly string[] = []): Promise<Ending> =>
  new Promise((resolve) =>
    connection.dispatch({ path: "/w", headers, body: Buffer.from(body) }, new Exchange(resolve)),
  );

/** More than the buffers of both sockets can take. */
const LARGE = "x".repeat(40_000_000);

/** A server that reads nothing by itself. */
async function listen(t: ExecutionContext, accept: (socket: Socket) => void): Promise<string> {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    t.teardown(() => socket.destroy());
    socket.on("error", () => undefined);
    accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/w`;
}

test("both clients write the same bytes", async (t) => {
  const server = await serve(t, (socket) => socket.write(OK));
  class Still extends SystemClock {
    override now = () => 1_767_225_600_000;
  }
  class Fixed extends SystemRandom {
    override token = () => "0123456789abcdef0123456789abcdef";
    override uuid = () => "00000000-0000-4000-8000-000000000000";
  }
  for (const client of ["own", "undici"] as const) {
    const { wallet } = makeWallet(t, { client }, new Still(), new Fixed());
    const content = bet({ playerId: "ana \u00e7 \u{1f600}" as never });
    for (const attempt of [1, 2]) await wallet.send(target(server.url), content, attempt);
  }
  t.deepEqual(server.requests.slice(2), server.requests.slice(0, 2));
  t.regex(server.requests[0] ?? "", /^POST \/hooks\/wallet\?b=1 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/);
});

test("the header Host has the brackets of an IPv6 address (3.2)", async (t) => {
  const hosts: string[] = [];
  const server = createServer((socket) => {
    t.teardown(() => socket.destroy());
    socket.once("data", (bytes: Buffer) => {
      hosts.push(/^host: (.*)\r$/m.exec(bytes.toString())?.[1] ?? "");
      socket.write(OK);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { readonly port: number };
  t.is((await post(connect(t, `http://[::1]:${port}/w`))).fault, null);
  t.deepEqual(hosts, [`[::1]:${port}`]);
});

test("no path and no header can end its line, and then nothing is sent (5.5, 11.1)", async (t) => {
  const [path, body] = ["/w", Buffer.from("{}")];
  t.is(
    postBytes("h", { path, headers: ["A", "b c"], body }).toString(),
    "POST /w HTTP/1.1\r\nhost: h\r\nconnection: keep-alive\r\nA: b c\r\ncontent-length: 2\r\n\r\n{}",
  );
  for (const bad of ["a\r\nb", "a\nb", "a\rb", "a\0b", "\u010d\u010a", "\u00e9"]) {
    t.throws(() => postBytes("h", { path: `/${bad}`, headers: [], body }));
    t.throws(() => postBytes("h", { path, headers: ["A", bad], body }));
    t.throws(() => postBytes("h", { path, headers: [bad, "a"], body }));
  }
  for (const bad of ["/a b", "/a\tb"]) t.throws(() => postBytes("h", { path: bad, headers: [], body }));
  const server = await serve(t, (socket) => socket.write(OK));
  t.like(await post(connect(t, server.url), "{}", ["X-A", "a\r\nX-B: b"]), { fault: "connect", status: null });
  t.deepEqual(server.requests, []);
});

test("both clients read a reply that begins before the request was sent whole (9.5)", async (t) => {
  const url = await listen(t, (socket) => socket.write(reply(413, '{"ok":false,"error":"TOO_LARGE"}')));
  for (const client of ["own", "undici"] as const)
    t.like(await post(connect(t, url, client), LARGE), { fault: null, status: 413 });
});

test("if the wallet closes while the request is sent, the call is broken and the request is not sent again (9.3.1)", async (t) => {
  let accepted = 0;
  const url = await listen(t, (socket) => {
    accepted += 1;
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
  t.like(await post(connect(t, url), LARGE), { fault: "connect", status: null });
  await pause(50);
  t.is(accepted, 1);
});

test("a body without a length that ends by a reset is not complete (6.3, 8)", async (t) => {
  const bytes = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"ok":true,"balance":1}';
  const server = await serve(t, (socket) => socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20)));
  t.like(await post(connect(t, server.url)), { fault: "connect", status: 200 });
});

test("a request that waits while its idle connection ends is sent once, over a new connection (9.3.1)", async (t) => {
  const sockets: Socket[] = [];
  const server = await serve(t, (socket) => {
    sockets.push(socket);
    socket.write(OK);
  });
  for (const end of [
    (socket: Socket) => socket.destroy(),
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  ]) {
    const before = server.requests.length;
    const connection = connect(t, server.url);
    t.is((await post(connection)).fault, null);
    end(sockets.at(-1) as Socket);
    // The system has the close or the bytes now. The dispatch comes before the loop reads them.
    const next = await new Promise<Ending>((resolve) => setImmediate(() => void post(connection).then(resolve)));
    t.like(next, { fault: null, status: 200 });
    t.is(next.body.toString(), '{"ok":true,"balance":97.5}');
    t.is(server.requests.length, before + 2);
    connection.destroy();
  }
});

test("a connection is idle for no longer than the wallet offers, less a margin (9.3, 9.5)", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    socket.write(reply(200, "{}", `Keep-Alive: timeout=${n <= 2 ? 3 : 2}\r\n`)),
  );
  const connection = connect(t, server.url);
  await post(connection);
  await post(connection);
  t.deepEqual([server.accepted(), connection.left()], [1, 0]);
  const began = performance.now();
  await until(t, "it is closed", () => connection.left() === 1 && server.open() === 0);
  t.true(performance.now() - began >= 900);
  await post(connection);
  t.is(connection.left(), 2, "no time is left of two seconds");
  await until(t, "it is closed at once", () => server.open() === 0);
});

test("the owner hears of each lost connection once, and of none that was destroyed", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    socket.write(n === 1 ? reply(200, "{}", "connection: close\r\n") : n === 2 ? Buffer.concat([OK, OK]) : OK),
  );
  const connection = connect(t, server.url);
  for (const left of [1, 2, 2]) {
    t.is((await post(connection)).fault, null);
    t.is(connection.left(), left);
  }
  connection.destroy();
  await until(t, "no socket is left", () => server.open() === 0);
  t.is(connection.left(), 2);
});

test("a call that is destroyed ends as broken, in each of its states", async (t) => {
  const url = await listen(t, () => undefined);
  for (const wait of [0, 1, 50]) {
    const connection = connect(t, url);
    const call = post(connection, wait === 50 ? LARGE : "{}");
    if (wait > 0) await pause(wait);
    connection.destroy();
    t.like(await call, { fault: "connect", status: null });
  }
});
