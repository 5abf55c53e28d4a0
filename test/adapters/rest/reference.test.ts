import test from "ava";
import { openApiDocument } from "../../../src/adapters/rest/openapi/document.ts";
import { entries, excerpt, find } from "../../../src/adapters/rest/reference/browser/search.js";
import { sign } from "../../../src/adapters/rest/reference/browser/sign.js";
import { exchange, type RawReply } from "../../../testbed/callers/raw-http.ts";
import { startRest } from "../../../testbed/callers/rest-server.ts";
import { SECRET } from "../../../testbed/directory/records.ts";
import { cases, secret } from "../../domain/signing/vectors.ts";
import { startStocked } from "./stocked-api.ts";

const { call } = (await import(
  new URL("../../../src/adapters/rest/reference/snippets/node.mjs", import.meta.url).href
)) as {
  call(merchant: string, secret: string, method: string, url: string, target: string, body?: string): Promise<Response>;
};

test("/openapi.json needs no signature, and pages of every origin may read it", async (t) => {
  const { port } = await startRest(t);
  const reply = await fetch(`http://127.0.0.1:${port}/openapi.json`);
  t.is(reply.headers.get("access-control-allow-origin"), "*");
  t.deepEqual(await reply.json(), openApiDocument("https://api.example"));
});

test.serial("the pages are built once, in a thread, so that no other call waits for it", async (t) => {
  let threads = 0;
  const count = () => (threads += 1);
  process.on("worker", count);
  t.teardown(() => void process.off("worker", count));
  const { port } = await startRest(t);
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  t.deepEqual(await Promise.all(["/docs", "/docs/signing", "/openapi.json"].map(get)), [200, 200, 200]);
  t.is(await get("/docs/search.json"), 200);
  t.is(threads, 1);
});

test("the page /docs loads files only from its own origin, under a strict policy, even if PUBLIC_URL has a path", async (t) => {
  const { port } = await startRest(t, { pathPrefix: "/aggregator" });
  for (const path of ["/docs", "/aggregator/docs"]) {
    const address = `http://127.0.0.1:${port}${path}`;
    const reply = await fetch(address);
    const policy = reply.headers.get("content-security-policy") ?? "";
    t.regex(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
    t.false(/unsafe|http/.test(policy));
    const page = await reply.text();
    const files = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)]
      .map(([, file = ""]) => file)
      .filter((file) => !file.startsWith("data:"));
    t.true(files.length >= 40);
    for (const file of files) t.is((await fetch(new URL(file, address))).status, 200, file);
  }
});

test("the page /docs has a field for a secret only if calls can be tried out", async (t) => {
  for (const tryOut of [true, false]) {
    const { port } = await startRest(t, { tryOut });
    const page = await (await fetch(`http://127.0.0.1:${port}/docs`)).text();
    t.is(/type="password"/.test(page), tryOut);
    t.is(/data-try-out="true"/.test(page), tryOut);
  }
});

test("a page is sent in an encoding that the caller accepts; a caller that has the page gets 304", async (t) => {
  const { port } = await startRest(t);
  const fetched = async (path: string, headers: string) =>
    exchange(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers === "" ? "" : `${headers}\r\n`}\r\n`,
    );
  const lengthOf = ({ headers }: RawReply) => Number(headers["content-length"]);
  for (const path of ["/openapi.json", "/docs", "/docs/signing", "/docs/search.json", "/docs/look/tokens.css"]) {
    const plain = await fetched(path, "");
    t.deepEqual(
      [plain.status, plain.headers["content-encoding"], plain.headers.vary],
      [200, undefined, "Accept-Encoding"],
    );
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, *;q=0.1", "gzip"],
      ["deflate", undefined],
      ["identity", undefined],
    ] as const) {
      const reply = await fetched(path, `Accept-Encoding: ${accepted}`);
      t.is(reply.headers["content-encoding"], encoding, accepted);
      t.is(lengthOf(reply) < lengthOf(plain), encoding !== undefined, `${path}, ${accepted}`);
      t.is(reply.headers.etag, plain.headers.etag);
    }
    const known = await fetched(path, `If-None-Match: "other", ${plain.headers.etag}\r\nAccept-Encoding: gzip`);
    t.deepEqual([known.status, known.body, known.headers.etag], [304, "", plain.headers.etag]);
    t.is((await fetched(path, 'If-None-Match: "other"')).status, 200);
  }
  t.is(
    (await fetched("/docs/look/fonts/outfit.woff2", "Accept-Encoding: gzip, br")).headers["content-encoding"],
    undefined,
    "it is compressed as it is",
  );
  const [plain, ...encoded] = await Promise.all(
    ["identity", "gzip", "br"].map(async (encoding) =>
      (await fetch(`http://127.0.0.1:${port}/docs`, { headers: { "Accept-Encoding": encoding } })).text(),
    ),
  );
  t.true(encoded.every((text) => text === plain));
});

test("every link of every page leads to an existing page and anchor", async (t) => {
  const { port } = await startRest(t, { pathPrefix: "/aggregator" });
  const first = `http://127.0.0.1:${port}/aggregator/docs`;
  const pages = new Map<string, string>();
  const wanted: { readonly from: string; readonly to: URL }[] = [{ from: "", to: new URL(first) }];
  for (const { from, to } of wanted) {
    const address = `${to.origin}${to.pathname}`;
    if (!pages.has(address)) {
      const reply = await fetch(address);
      t.is(reply.status, 200, `${from} leads to ${to}`);
      const page = await reply.text();
      pages.set(address, page);
      if (reply.headers.get("content-type")?.startsWith("text/html")) {
        const links = [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => new URL(href, address));
        wanted.push(...links.filter(({ host }) => host === to.host).map((link) => ({ from: address, to: link })));
      }
    }
    const place = decodeURIComponent(to.hash.slice(1));
    if (place !== "") t.true(pages.get(address)?.includes(`id="${place}"`), `${from} leads to ${to}`);
  }
  t.true(pages.size > 30, [...pages.keys()].join(" "));
});

test("no page has two anchors with the same name", async (t) => {
  const { port } = await startRest(t);
  const index = (await (await fetch(`http://127.0.0.1:${port}/docs/search.json`)).json()) as { to: string }[];
  for (const name of new Set(index.map(({ to }) => to.split("#")[0] ?? ""))) {
    const page = await (await fetch(`http://127.0.0.1:${port}/docs${name === "" ? "" : `/${name}`}`)).text();
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    t.deepEqual(anchors, [...new Set(anchors)], name);
  }
});

test("the search finds sections with all words; sections with the words in their titles come first", (t) => {
  const index = entries([
    { to: "a#1", page: "A", title: "Limits", text: "how many calls" },
    { to: "a#2", page: "A", title: "Retry", text: "limits of calls, and Validação" },
    { to: "a#3", page: "Limits", title: "Others", text: "nothing" },
  ]);
  const found = (question: string) => find(index, question).map(({ to }) => to);
  t.deepEqual(found("limits"), ["a#1", "a#3", "a#2"]);
  t.deepEqual(found("LIMITS calls"), ["a#1", "a#2"]);
  t.deepEqual(found("validacao"), ["a#2"]);
  t.deepEqual(found(" "), []);
  t.deepEqual(found("limits absent"), []);
  t.is(excerpt(`${"x ".repeat(100)}needle${" y".repeat(100)}`, "Needle").includes("needle"), true);
});

test("pages accept only GET and HEAD", async (t) => {
  const { port } = await startRest(t);
  for (const path of ["/openapi.json", "/docs", "/docs/signing", "/docs/docs.css"]) {
    t.is((await fetch(`http://127.0.0.1:${port}${path}`, { method: "HEAD" })).status, 200);
    const refused = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" });
    t.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
  }
  t.is((await fetch(`http://127.0.0.1:${port}/docs/../../../package.json`)).status, 404);
});

test("the script of /docs signs every valid test vector correctly", async (t) => {
  for (const { name, signature, valid, ...parts } of cases.filter((vector) => vector.valid))
    t.is(await sign(secret, parts), signature, name);
});

test("the ten lines of Node code on /docs make successful calls", async (t) => {
  const rest = await startStocked(t);
  rest.clock.time = Date.now();
  const url = `http://127.0.0.1:${rest.port}`;
  t.is((await call("casa-br", SECRET, "GET", url, "/v1/games?q=fr%20u&limit=2")).status, 200);
  t.is(
    (await call("casa-br", SECRET, "POST", url, "/v1/game/launch", '{"player_id":"joão","game":"fruits"}')).status,
    200,
  );
  t.is((await call("casa-br", "another", "GET", url, "/v1/merchant")).status, 401);
});
