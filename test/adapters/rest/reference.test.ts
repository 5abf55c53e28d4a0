import test from "ava";
import { openApiDocument } from "../../../src/adapters/rest/openapi/document.ts";
import { sign } from "../../../src/adapters/rest/reference/browser/sign.js";
import { SECRET, startRest } from "../../harness/rest-server.ts";
import { cases, secret } from "../../vectors/signing.ts";
import { startStocked } from "./stocked-api.ts";

const { call } = (await import(new URL("../../../src/adapters/rest/reference/snippets/node.mjs", import.meta.url).href)) as {
  call(merchant: string, secret: string, method: string, url: string, target: string, body?: string): Promise<Response>;
};

test("/openapi.json needs no signature and may be read from any page", async (t) => {
  const { port } = await startRest(t);
  const reply = await fetch(`http://127.0.0.1:${port}/openapi.json`);
  t.is(reply.headers.get("access-control-allow-origin"), "*");
  t.deepEqual(await reply.json(), openApiDocument(null));
});

test("the page loads from here alone, under a policy without exceptions, with a PUBLIC_URL's path before it, too", async (t) => {
  const { port } = await startRest(t, { pathPrefix: "/aggregator" });
  for (const path of ["/docs", "/aggregator/docs"]) {
    const address = `http://127.0.0.1:${port}${path}`;
    const reply = await fetch(address);
    const policy = reply.headers.get("content-security-policy") ?? "";
    t.regex(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
    t.false(/unsafe|http/.test(policy));
    const page = await reply.text();
    const files = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, file = ""]) => file).filter((file) => !file.startsWith("data:"));
    t.true(files.length >= 7);
    for (const file of files) t.is((await fetch(new URL(file, address))).status, 200, file);
  }
});

test("a secret can be entered in development alone", async (t) => {
  for (const tryOut of [true, false]) {
    const { port } = await startRest(t, { tryOut });
    const page = await (await fetch(`http://127.0.0.1:${port}/docs`)).text();
    t.is(/type="password"/.test(page), tryOut);
    t.is(/data-try-out="true"/.test(page), tryOut);
  }
});

test("pages take GET and HEAD alone", async (t) => {
  const { port } = await startRest(t);
  for (const path of ["/openapi.json", "/docs"]) {
    t.is((await fetch(`http://127.0.0.1:${port}${path}`, { method: "HEAD" })).status, 200);
    const refused = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" });
    t.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
  }
  t.is((await fetch(`http://127.0.0.1:${port}/docs/../../../package.json`)).status, 404);
});

test("the page's script signs every vector rightly", async (t) => {
  for (const { name, signature, valid, ...parts } of cases.filter((vector) => vector.valid)) t.is(await sign(secret, parts), signature, name);
});

test("the page's ten lines of Node make calls that are answered", async (t) => {
  const rest = await startStocked(t);
  rest.clock.time = Date.now();
  const url = `http://127.0.0.1:${rest.port}`;
  t.is((await call("casa-br", SECRET, "GET", url, "/v1/games?q=fr%20u&limit=2")).status, 200);
  t.is((await call("casa-br", SECRET, "POST", url, "/v1/game/launch", '{"player_id":"joão","game":"fruits"}')).status, 200);
  t.is((await call("casa-br", "another", "GET", url, "/v1/merchant")).status, 401);
});
