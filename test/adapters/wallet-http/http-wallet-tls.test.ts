import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Server } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import test, { type ExecutionContext } from "ava";
import type { HttpWalletOptions } from "../../../src/adapters/wallet-http/connector.ts";
import { makeAuthority, makeLeaf } from "./certificates.ts";
import { reply } from "./raw-server.ts";
import { bet, makeWallet, target } from "./wallet-fixture.ts";

const authority = makeAuthority("Test CA");
const options: Partial<HttpWalletOptions> = {
  ca: authority.pem,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
};

interface TlsServer {
  readonly url: string;
  /** The number of bytes of requests that arrived over TLS. */
  readonly received: () => number;
  readonly names: (string | false)[];
}

async function listen(t: ExecutionContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `https://wallet.example:${(server.address() as AddressInfo).port}/hooks/wallet?b=1`;
}

async function serve(t: ExecutionContext, tls: TlsOptions): Promise<TlsServer> {
  let bytes = 0;
  const names: (string | false)[] = [];
  const server = createServer(tls, (socket) => {
    names.push(socket.servername ?? false);
    t.teardown(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      if (chunk.toString().endsWith("}")) socket.write(reply(200, '{"ok":true,"balance":97.5}'));
    });
  });
  server.on("tlsClientError", () => undefined);
  return { url: await listen(t, server), received: () => bytes, names };
}

test("a wallet whose certificate is trusted and has its name is called, over one connection", async (t) => {
  const server = await serve(t, makeLeaf("wallet.example", authority));
  const { wallet } = makeWallet(t, options);
  for (let i = 0; i < 3; i++)
    t.deepEqual((await wallet.send(target(server.url), bet(), 1)).answer, { kind: "accepted", balanceMinor: 9_750n });
  t.deepEqual(server.names, ["wallet.example"]);
});

test("later connections resume the TLS session, and still verify the name", async (t) => {
  const server = await serve(t, makeLeaf("wallet.example", authority));
  const { wallet } = makeWallet(t, options);
  await wallet.send(target(server.url), bet(), 1);
  const calls = Array.from({ length: 5 }, () => wallet.send(target(server.url), bet(), 1));
  for (const { result } of await Promise.all(calls)) t.is(result, "accepted");
  t.is((await wallet.send(target(server.url.replace("wallet.example", "other.example"), 8), bet(), 1)).result, "tls");
});

const faults: readonly (readonly [string, TlsOptions])[] = [
  ["an expired certificate", makeLeaf("wallet.example", authority, true)],
  ["a certificate for another host", makeLeaf("other.example", authority)],
  ["a self-signed certificate", makeLeaf("wallet.example", null)],
  ["a certificate of an unknown authority", makeLeaf("wallet.example", makeAuthority("Another CA"))],
  ["an authority that only has the trusted one's name", makeLeaf("wallet.example", makeAuthority("Test CA"))],
  [
    "nothing newer than TLS 1.1",
    {
      ...makeLeaf("wallet.example", authority),
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    },
  ],
];

for (const [what, tls] of faults) {
  test(`a wallet with ${what} gets no request: the call ends as silent (tls), and an alert is raised`, async (t) => {
    const server = await serve(t, tls);
    const { wallet, telemetry } = makeWallet(t, options);
    for (const attempt of [1, 2]) {
      const { answer, result, httpStatus } = await wallet.send(target(server.url), bet(), attempt);
      t.deepEqual([answer, result, httpStatus], [{ kind: "silent" }, "tls", null]);
    }
    t.is(server.received(), 0);
    t.deepEqual(
      telemetry.alerts.map(({ name, fields }) => [name, fields.merchant]),
      [["wallet_tls", "shop-7"]],
    );
    t.regex(String(telemetry.alerts[0]?.fields.why), /^[A-Z][A-Z0-9_]+$/);
  });
}

test("a call to a server with plain HTTP on the https port ends as silent (tls), and no request is sent", async (t) => {
  let text = "";
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
  });
  const url = await listen(t, server);
  t.is((await makeWallet(t, options).wallet.send(target(url), bet(), 1)).result, "tls");
  t.false(text.includes("POST"));
});

test("a TLS handshake that hangs ends at the deadline", async (t) => {
  let open = 0;
  const server = createTcpServer((socket) => {
    open += 1;
    socket
      .on("error", () => undefined)
      .on("close", () => (open -= 1))
      .resume();
  });
  const url = await listen(t, server);
  const { result, durationMs } = await makeWallet(t, { ...options, timeoutMs: 200 }).wallet.send(target(url), bet(), 1);
  t.is(result, "timeout");
  t.true(durationMs < 20_000);
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.pass();
});

test("if the connection closes during the handshake, the call ends as silent (connect)", async (t) => {
  const server = createTcpServer((socket) => void socket.once("data", () => socket.destroy()));
  const url = await listen(t, server);
  t.is((await makeWallet(t, options).wallet.send(target(url), bet(), 1)).result, "connect");
});
