import { fileURLToPath } from "node:url";
import test from "ava";
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
