import test from "ava";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { parseQuery, wholeNumber } from "../../../../src/adapters/rest/requests/query.ts";
import { route } from "../../../../src/adapters/rest/route.ts";
import { ok } from "../../../../src/domain/errors.ts";
import { exchange } from "../../../../testbed/callers/raw-http.ts";
import { codeOf, dataOf, errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";

const LAUNCH = { method: "POST", target: "/v1/game/launch" };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a /v1 reply is JSON, has its own request id, and does not name the server's software", async (t) => {
  const rest = await startRest(t);
  const replies = [
    await rest.send({}),
    await rest.send({ target: "/v1/nowhere" }),
    await rest.send({ secret: "wrong" }),
    await rest.send(LAUNCH),
  ];
  for (const { headers, body } of replies) {
    t.regex(headers["x-request-id"] ?? "", UUID);
    t.is(headers["content-type"], "application/json; charset=utf-8");
    t.is(headers["cache-control"], "no-store");
    t.false("x-powered-by" in headers || "etag" in headers || "server" in headers);
    t.notThrows(() => JSON.parse(body));
  }
  t.is(new Set(replies.map((reply) => reply.headers["x-request-id"])).size, replies.length);
  const { message } = errorOf(replies[1] as (typeof replies)[number]);
  t.is(message, "Rota não encontrada.");
});

test("no header of a reply repeats anything that the caller sent", async (t) => {
  const rest = await startRest(t, { explains: true });
  const mark = "m4rk3d";
  const fields = {
    player_id: mark,
    game: mark,
    lang: mark,
    lobby_url: `https://${mark}.example/\r\nX-Evil: 1`,
    [mark]: mark,
  };
  const replies = await Promise.all([
    rest.send({ method: "POST", target: "/v1/game/launch", body: JSON.stringify(fields) }),
    rest.send({ method: "POST", target: `/v1/transactions/${mark}%0d%0aX-Evil:%201/resend` }),
    rest.send({ method: "PATCH", target: `/v1/${mark}?${mark}=%0d%0aX-Evil:%201` }),
    rest.send({
      target: `/v1/games/${mark}/${mark}`,
      headers: { "X-Request-Id": mark, Origin: `https://${mark}.example`, Cookie: mark },
    }),
    rest.send({ merchant: mark, nonce: mark, timestamp: mark, signature: mark }),
    rest.send({ target: `/${mark}`, headers: { "If-None-Match": mark, Accept: mark } }),
  ]);
  for (const { headers } of replies) t.notRegex(JSON.stringify(headers).toLowerCase(), /m4rk3d|x-evil/);
});

test("faults of a request are refused in this order: 404, 405 with Allow, 415, 400, 422", async (t) => {
  const rest = await startRest(t);
  const gzip = { "Content-Encoding": "gzip" };
  const text = { "Content-Type": "text/plain" };
  t.is(await codeOf(rest, { method: "POST", target: "/v1/nowhere", body: "{", headers: text }), "NOT_FOUND");
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const reply = await rest.send({ ...LAUNCH, method, body: "{", headers: text });
    t.deepEqual([reply.status, errorOf(reply).code, reply.headers.allow], [405, "METHOD_NOT_ALLOWED", "POST"], method);
  }
  const head = await rest.send({ ...LAUNCH, method: "HEAD" });
  t.deepEqual([head.status, head.headers.allow, head.body], [405, "POST", ""]);
  t.is(await codeOf(rest, { ...LAUNCH, body: "{", headers: text }), "UNSUPPORTED_MEDIA_TYPE");
  t.is(await codeOf(rest, { ...LAUNCH, body: "{}", headers: gzip }), "UNSUPPORTED_MEDIA_TYPE");
  t.is(await codeOf(rest, { ...LAUNCH, target: "/v1/game/launch?x=1", body: "{" }), "BAD_REQUEST");
  t.is(await codeOf(rest, { ...LAUNCH, target: "/v1/game/launch?x=1", body: "{}" }), "VALIDATION_ERROR");
});

test("bytes that are not HTTP, smuggled requests and endless headers get an error in the envelope, and the connection is closed", async (t) => {
  const rest = await startRest(t);
  for (const [bytes, status] of [
    ["nonsense\r\n\r\n", 400],
    ["GET /v1/merchant HTTP/1.1\r\nHost: x\r\nX-Nonce: a\r\n folded\r\n\r\n", 400],
    [
      "POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400],
    ["GET /v1/merchant HTTP/1.1\r\n\r\n", 400],
    ["POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}", 417],
    [`GET /v1/merchant HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    [`GET /v1/merchant HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(100)}\r\n`, 431],
    [`GET /v1/merchant HTTP/1.1\r\nHost: x\r\n${"a:\r\n".repeat(3_000)}\r\n`, 431],
    [`POST /v1/merchant HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(100)}Content-Length: 10\r\n\r\n`, 431],
  ] as const) {
    const reply = await exchange(rest.port, bytes);
    t.is(reply.status, status, bytes.slice(0, 80));
    t.is(errorOf(reply).code, "BAD_REQUEST");
  }
});

test("unknown and repeated query parameters, bad values and bad encodings get 422 with all faults together", (t) => {
  const faultsOf = (query: string): string[] =>
    parseQuery(query, { limit: wholeNumber("limit", 1, 500) }).faults.map(({ field, rule }) => `${field}: ${rule}`);
  for (const query of ["", "&", "limit=1", "limit=500", "&limit=7&", "limit=%31", "li%6Dit=1"])
    t.deepEqual(faultsOf(query), [], query);
  for (const limit of ["0", "501", "-1", "1.0", "1e2", "01", "", "+1", "१"])
    t.deepEqual(faultsOf(`limit=${limit}`), ["limit: 1..500"], limit);
  t.deepEqual(faultsOf("limit=1&limit=1"), ["limit: once"]);
  t.deepEqual(faultsOf("limit"), ["limit: 1..500"]);
  t.deepEqual(faultsOf("a=1&limit=x&__proto__=1&q=%ff&%=1"), [
    "a: unknown",
    "limit: 1..500",
    "__proto__: unknown",
    "q=%ff: percent-encoded UTF-8",
    "%=1: percent-encoded UTF-8",
  ]);
});

test("after an error in an operation the caller gets INTERNAL_ERROR without the cause", async (t) => {
  const faulty = route({
    method: "GET",
    path: "/v1/faulty",
    query: {},
    answer: () => {
      throw new Error("SELECT secret FROM merchants");
    },
  });
  const rest = await startRest(t, { moreRoutes: [faulty] });
  const reply = await rest.send({ target: "/v1/faulty" });
  t.deepEqual([reply.status, errorOf(reply).code], [500, "INTERNAL_ERROR"]);
  t.false(reply.body.includes("SELECT"));
  t.is(String(rest.telemetry.errors[0]?.cause), "Error: SELECT secret FROM merchants");
});

test("health checks need no signature: live always gets 200, and ready gets 200 unless there is a reason against it", async (t) => {
  let reasons: string[] = [];
  let warnings: string[] = [];
  const rest = await startRest(t, { notReady: () => reasons, warnings: () => warnings });
  const get = async (path: string, method = "GET") =>
    exchange(rest.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  t.is((await get("/health/live")).status, 200);
  t.deepEqual(JSON.parse((await get("/health/ready")).body), { status: "ready" });
  warnings = ["database_unsafe"];
  const warned = await get("/health/ready");
  t.deepEqual([warned.status, JSON.parse(warned.body)], [200, { status: "ready", warnings }]);
  warnings = [];
  reasons = ["draining"];
  t.is((await get("/health/live")).status, 200);
  const reply = await get("/health/ready");
  t.deepEqual([reply.status, JSON.parse(reply.body)], [503, { status: "not_ready", reasons }]);
  t.is((await get("/health/ready", "HEAD")).body, "");
  const post = await get("/health/live", "POST");
  t.deepEqual([post.status, post.headers.allow], [405, "GET, HEAD"]);
});

test("stop answers the running requests, and refuses new requests", async (t) => {
  let begun = (): void => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let finish = (): void => {};
  const slow = route({
    method: "GET",
    path: "/v1/slow",
    query: {},
    answer: async () => {
      begun();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return ok({ message: SUCCESS_TEXTS.merchant, data: { done: true } });
    },
  });
  const rest = await startRest(t, { moreRoutes: [slow] });
  const running = rest.send({ target: "/v1/slow" });
  await started;
  const stopped = rest.server.stop(5_000);
  await t.throwsAsync(rest.send({}), { code: "ECONNREFUSED" });
  finish();
  t.deepEqual(dataOf(await running), { done: true });
  await stopped;
  t.pass();
});
