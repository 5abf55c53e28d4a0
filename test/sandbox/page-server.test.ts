import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import test from "ava";
import { allowedNames, allowsHost } from "../../sandbox/http/hosts.ts";
import { Refused, startPageServer, textField } from "../../sandbox/http/page-server.ts";
import { requestRaw } from "./raw-request.ts";

async function serve(t: { teardown(run: () => void): void }): Promise<string> {
  const { server, port } = await startPageServer(
    {
      api: {
        "POST /api/echo": ({ body }) => ({ said: textField(body, "say") }),
        "GET /api/refuse": () => {
          throw new Refused(409, "BUSY", "Not now.");
        },
      },
      folders: {
        "/": fileURLToPath(new URL("../../sandbox/merchant/page", import.meta.url)),
        "/design/": fileURLToPath(new URL("../../sandbox/design", import.meta.url)),
      },
      csp: "default-src 'none'",
    },
    0,
    "127.0.0.1",
  );
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

const post = (url: string, headers: Record<string, string>, body: string) =>
  fetch(`${url}/api/echo`, { method: "POST", headers, body });

test("a request from the server's own page is answered", async (t) => {
  const url = await serve(t);
  const reply = await post(url, { "content-type": "application/json", origin: url }, '{"say":"olá"}');
  t.deepEqual([reply.status, await reply.json()], [200, { said: "olá" }]);
});

test("a request from another site is refused, by its origin or by its content type", async (t) => {
  const url = await serve(t);
  t.is(
    (await post(url, { "content-type": "application/json", origin: "http://evil.example" }, '{"say":"x"}')).status,
    403,
  );
  t.is((await post(url, { "content-type": "application/json", origin: "null" }, '{"say":"x"}')).status, 403);
  t.is((await post(url, { "content-type": "text/plain" }, '{"say":"x"}')).status, 415);
});

test("a body that is not JSON, lacks a field or is too long is refused", async (t) => {
  const url = await serve(t);
  const headers = { "content-type": "application/json" };
  t.is((await post(url, headers, "{")).status, 400);
  t.is((await post(url, headers, "null")).status, 422);
  t.is((await post(url, headers, JSON.stringify({ say: "x".repeat(20_000) }))).status, 413);
});

test("the page gets a refusal with its code and sentence", async (t) => {
  const reply = await fetch(`${await serve(t)}/api/refuse`);
  t.deepEqual([reply.status, await reply.json()], [409, { error: { code: "BUSY", message: "Not now." } }]);
});

test("a TypeScript file is served as JavaScript, with the server's security policy", async (t) => {
  const reply = await fetch(`${await serve(t)}/design/money.ts`);
  t.is(reply.headers.get("content-type"), "text/javascript; charset=utf-8");
  t.is(reply.headers.get("content-security-policy"), "default-src 'none'");
  t.notRegex(await reply.text(), /: string/);
});

test("no file outside of the folders is served", async (t) => {
  const url = await serve(t);
  for (const path of [
    "/../merchant.ts",
    "/%2e%2e/merchant.ts",
    "/..%2fmerchant.ts",
    "/design/..%2f..%2fpackage.json",
    "//etc/passwd",
    "/design/../../main.ts",
    "/nothing.css",
  ]) {
    t.is(await requestRaw(url, path), 404, path);
  }
});

/** Sends these bytes, and returns what the server sent until it closed the connection. */
function exchanged(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  let text = "";
  socket.on("data", (part: Buffer) => {
    text += part.toString("latin1");
  });
  socket.write(bytes);
  return new Promise((resolve) => socket.once("close", () => resolve(text)));
}

test("no target of a request is a fault of the server", async (t) => {
  const url = await serve(t);
  for (const target of [
    "//",
    "///",
    "//[",
    "//x:y",
    "/%",
    "/%ff",
    "/\\",
    "/?%zz",
    "/#",
    "http://",
    "http:/",
    "x:y",
    "*",
  ]) {
    const reply = await exchanged(url, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    t.regex(reply, /^HTTP\/1\.1 (200|400|404) /, target);
  }
});

test("a page is sent only for a Host that no page of the Internet can have, or that is allowed on purpose", async (t) => {
  const url = await serve(t);
  const status = async (host: string) =>
    (await exchanged(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(9, 12);
  for (const host of ["localhost", "LOCALHOST:3000", "127.0.0.1:1", "[::1]", "192.0.2.1", "sandbox", "shop.localhost"])
    t.is(await status(host), "200", host);
  for (const host of ["rebind.example", "rebind.example:3000", "localhost.example", "a@127.0.0.1", ""])
    t.regex(await status(host), /^4/, host);
  const reply = await exchanged(url, "GET / HTTP/1.1\r\nHost: rebind.example\r\nConnection: close\r\n\r\n");
  t.regex(reply, /^HTTP\/1\.1 421 [\s\S]*SANDBOX_ALLOWED_HOSTS/);
  const names = allowedNames({
    SANDBOX_ALLOWED_HOSTS: "demo.example, b.example",
    MERCHANT_ORIGIN: "https://shop.example",
  });
  for (const host of ["demo.example", "B.example:3000", "shop.example"]) t.true(allowsHost(host, names), host);
  t.false(allowsHost("other.example", names));
});

test("a body that comes in pieces of one byte ends the connection", async (t) => {
  const url = await serve(t);
  const dust = "1\r\na\r\n".repeat(2_000);
  const head =
    "POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  t.is(await exchanged(url, head + dust), "");
});
