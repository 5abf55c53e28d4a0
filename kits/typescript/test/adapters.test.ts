import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import test from "node:test";
import express from "express";
import fastify from "fastify";
import { walletHandler } from "../src/adapters/express.ts";
import { walletPlugin } from "../src/adapters/fastify.ts";
import { read, walletListener } from "../src/adapters/node.ts";
import { MemoryStorage, signedHeaders, Wallet } from "../src/index.ts";

function wallet(): Wallet {
  const storage = new MemoryStorage();
  storage.setPlayer("shop", "joão", { balance: 150n, blocked: false });
  return new Wallet({ merchants: [{ code: "shop", secrets: ["sk"], currency: "BRL" }], storage });
}

async function listening(server: Server): Promise<{ origin: string; close: () => void }> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Each framework serves the wallet at /hooks/wallet, and echoes JSON at /echo. */
const FRAMEWORKS: Readonly<Record<string, () => Promise<{ origin: string; close: () => unknown }>>> = {
  "node:http": () => {
    const listener = walletListener(wallet());
    return listening(createServer((request, response) => listener(request, response)));
  },
  "Express, in a router": () => {
    const router = express.Router();
    router.post("/wallet", walletHandler(wallet()));
    const app = express();
    app.use("/hooks", router);
    return listening(createServer(app));
  },
  Fastify: async () => {
    const app = fastify();
    await app.register(walletPlugin(wallet(), "/hooks/wallet"));
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    return { origin, close: () => app.close() };
  },
};

for (const [name, start] of Object.entries(FRAMEWORKS)) {
  test(`${name}: the raw body and the target are verified as they arrived`, async (t) => {
    const { origin, close } = await start();
    t.after(close);
    const send = async (sent: string, type = "application/json") => {
      const target = "/hooks/wallet?b=1&c=%C3%A3";
      const body = '{ "action":"balance", "player_id":"joão", "currency":"BRL", "provider":"A/B", "game":"g" }\n';
      const headers = { "Content-Type": type, ...signedHeaders("shop", "sk", { method: "POST", target, body }) };
      const response = await fetch(origin + target, { method: "POST", headers, body: sent === "" ? body : sent });
      assert.equal(response.headers.get("content-type")?.split(";")[0], "application/json");
      return [response.status, await response.json()];
    };
    assert.deepEqual(await send(""), [200, { ok: true, balance: 1.5 }]);
    assert.deepEqual(await send("", "text/plain"), [200, { ok: true, balance: 1.5 }]);
    assert.deepEqual(await send("{}"), [401, { ok: false, error: "INVALID_SIGNATURE" }]);
  });
}

test("node:http: a body that is too large is 413", async (t) => {
  const { origin, close } = await listening(createServer(walletListener(wallet())));
  t.after(close);
  const response = await fetch(origin, { method: "POST", body: "x".repeat(1_000_000) });
  assert.equal(response.status, 413);
});

test("a body in small pieces is put together, and cut after the limit", async () => {
  const pieces = (count: number) => Readable.from(Array.from({ length: count }, (_, i) => Buffer.from([i % 251])));
  const body = await read(pieces(20_000));
  assert.deepEqual(body, Buffer.from(Array.from({ length: 20_000 }, (_, i) => i % 251)));
  assert.equal((await read(pieces(65_536)))?.byteLength, 65_536);
  assert.equal((await read(pieces(70_000)))?.byteLength, 65_537);
});

test("node:http: a body without end is refused", async (t) => {
  const { origin, close } = await listening(createServer(walletListener(wallet())));
  t.after(close);
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  while (received === "" && !socket.destroyed) await new Promise((written) => socket.write(chunk, written));
  assert.match(received, /^HTTP\/1.1 413 .*\r\nConnection: close\r\n/s);
});

test("Express: a parser before the wallet is named in the error", async (t) => {
  const app = express();
  app.use(express.json());
  app.post("/wallet", walletHandler(wallet()));
  app.use((error: Error, _request: unknown, response: express.Response, _next: unknown) => {
    response.status(500).send(error.message);
  });
  const { origin, close } = await listening(createServer(app));
  t.after(close);
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${origin}/wallet`, { method: "POST", headers, body: "{}" });
  assert.match(await response.text(), /mount walletHandler before express.json/);
});

test("Fastify: other routes keep their own parsers", async (t) => {
  const app = fastify();
  await app.register(walletPlugin(wallet(), "/wallet"));
  app.post("/echo", async (request) => request.body);
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  t.after(() => app.close());
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${origin}/echo`, { method: "POST", headers, body: '{"a":1}' });
  assert.deepEqual(await response.json(), { a: 1 });
});
