import test from "ava";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { parseQuery, wholeNumber } from "../../../../src/adapters/rest/requests/query.ts";
import { route } from "../../../../src/adapters/rest/route.ts";
import { type FieldFault, ok } from "../../../../src/domain/errors.ts";
import { exchange } from "../../../../testbed/callers/raw-http.ts";
import {
  dataOf,
  errorOf,
  type RestUnderTest,
  type SignedParts,
  startRest,
} from "../../../../testbed/callers/rest-server.ts";

const LAUNCH = { method: "POST", target: "/v1/game/launch" };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const codeOf = async (rest: RestUnderTest, parts: SignedParts): Promise<string> => {
  const reply = await rest.send(parts);
  return reply.status === 200 ? "OK" : errorOf(reply).code;
};

test("every /v1 reply has the envelope and its own request id, and does not name the server's software", async (t) => {
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

test("an unsigned call to an unknown path is 401 under /v1, and 404 elsewhere", async (t) => {
  const rest = await startRest(t);
  for (const target of ["/v1", "/v1/", "/v1/nowhere", "/v1?x"])
    t.is(await codeOf(rest, { target, headers: { "X-Signature": null } }), "AUTH_HEADERS_MISSING", target);
  for (const target of ["/", "/v2/merchant", "/v1x/merchant", "/V1/merchant", "//v1/merchant", "/favicon.ico"]) {
    const reply = await rest.send({ target, headers: { "X-Signature": null } });
    t.deepEqual([reply.status, errorOf(reply).code], [404, "NOT_FOUND"], target);
  }
});

test("an ambiguous target is 400 after the authentication and before the route", async (t) => {
  const rest = await startRest(t);
  for (const target of [
    "/v1//merchant",
    "/v1/./merchant",
    "/v1/../v1/merchant",
    "/v1/%2e/merchant",
    "/v1/%2E%2e/v1/merchant",
    "/v1/.%2e/x",
    "/v1/merchant/..",
    "/v1/merchant//",
    "/v1/merchant#x",
  ]) {
    t.is(await codeOf(rest, { target, method: "PATCH" }), "BAD_REQUEST", target);
    t.is(await codeOf(rest, { target, secret: "wrong" }), "INVALID_SIGNATURE", target);
  }
  t.is(await codeOf(rest, { sentTarget: "http://api.example/v1/merchant" }), "BAD_REQUEST");
  t.is(await codeOf(rest, { sentTarget: "http://api.example/v1/merchant", secret: "wrong" }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { target: "/v1/games?x=//../." }), "VALIDATION_ERROR", "a query may hold anything");
});

/** Spellings of a path that some parser would read as another one. */
const PATHS = ["merchant", "games", "providers", "transactions"].flatMap((name) => [
  ...[
    `/v1/${name}/`,
    `/v1//${name}`,
    `/v1/./${name}`,
    `/v1/x/../${name}`,
    `/v1/%2e/${name}`,
    `/v1/x/%2E%2E/${name}`,
    `/v1/${name}/.`,
    `/v1/${name}//`,
  ],
  ...[
    `/v1/${name}%00`,
    `/v1/${name}%2f`,
    `/v1/${name};a=b`,
    `/v1/${name}%20`,
    `/v1/${name}\\x`,
    `/v1\\${name}`,
    `/v1/${name.toUpperCase()}`,
    `/v1/%${name}`,
  ],
  ...[`/v1/${name.replace("r", "%72").replace("m", "%6d")}%20`, `/v1/${name}#x`, `/v1/${name}%3Fx`, `/v1/..;/${name}`],
]);

test("only the signed spelling of a path is routed; any other spelling finds no route", async (t) => {
  t.true(PATHS.length >= 60);
  const rest = await startRest(t);
  for (const target of PATHS) t.true(["BAD_REQUEST", "NOT_FOUND"].includes(await codeOf(rest, { target })), target);
});

test("no header of a reply repeats what the caller sent", async (t) => {
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

test("the path of PUBLIC_URL is accepted before /v1 and is not signed", async (t) => {
  const rest = await startRest(t, { pathPrefix: "/aggregator" });
  t.is(await codeOf(rest, { sentTarget: "/aggregator/v1/merchant" }), "OK");
  t.is(await codeOf(rest, {}), "OK");
  t.is(await codeOf(rest, { target: "/aggregator/v1/merchant" }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { sentTarget: "/aggregator2/v1/merchant" }), "NOT_FOUND");
  t.is(await codeOf(rest, { sentTarget: "/aggregator/aggregator/v1/merchant" }), "NOT_FOUND");
});

test("faults of the content are answered in this order: 404, 405 with Allow, 415, 400, 422", async (t) => {
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

test("a body must be application/json, in UTF-8 if a charset is given, and not encoded", async (t) => {
  const rest = await startRest(t);
  const withType = (type: string | null) => codeOf(rest, { ...LAUNCH, body: "{}", headers: { "Content-Type": type } });
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; charset=utf8",
  ])
    t.is(await withType(type), "VALIDATION_ERROR", type);
  for (const type of [
    null,
    "",
    "text/json",
    "application/json; charset=latin1",
    "application/jsonp",
    "application/x-www-form-urlencoded",
  ])
    t.is(await withType(type), "UNSUPPORTED_MEDIA_TYPE", String(type));
  t.is(await codeOf(rest, { ...LAUNCH, body: "{}", headers: { "Content-Encoding": "identity" } }), "VALIDATION_ERROR");
});

test("a body that is not one JSON text in UTF-8 is 400; JSON that is no object is 422", async (t) => {
  const rest = await startRest(t);
  for (const body of [
    "",
    "{",
    "{}{}",
    "undefined",
    "NaN",
    "\ufeff{}",
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    "'x'",
  ])
    t.is(await codeOf(rest, { ...LAUNCH, body }), "BAD_REQUEST", String(body));
  for (const body of ["[]", "null", '"x"', "1", "true"])
    t.is(await codeOf(rest, { ...LAUNCH, body }), "VALIDATION_ERROR", body);
  t.is(await codeOf(rest, { ...LAUNCH, body: "", headers: { "Content-Type": null } }), "BAD_REQUEST");
});

test("a GET with a body is 400, whatever its type", async (t) => {
  const rest = await startRest(t);
  for (const type of ["application/json", "text/plain"])
    t.is(await codeOf(rest, { body: "{}", headers: { "Content-Type": type } }), "BAD_REQUEST");
  t.is(await codeOf(rest, { headers: { "Content-Length": "0" } }), "OK");
});

test("a refusal lists 50 faults at most, and says how many more there are", async (t) => {
  const rest = await startRest(t);
  const many = Array.from({ length: 5_000 }, (_, i) => `x${i}`);
  for (const [parts, found] of [
    [{ target: `/v1/games?${"x&".repeat(7_500)}` }, 7_500],
    [
      {
        ...LAUNCH,
        body: JSON.stringify({ player_id: "ana", game: "x", ...Object.fromEntries(many.map((name) => [name, 1])) }),
      },
      5_000,
    ],
    [{ target: `/v1/games?${many.slice(0, 51).join("&")}` }, 51],
  ] as const) {
    const reply = await rest.send(parts);
    t.is(reply.status, 422);
    const details = errorOf(reply).details as readonly FieldFault[];
    t.is(details.length, 51);
    t.is(details[50]?.rule, `${found - 50} more`);
    t.true(
      details.every((fault) =>
        [fault.field, fault.rule, fault.message].every((text) => typeof text === "string" && text !== ""),
      ),
    );
    t.true(reply.body.length < 8_192, `${reply.body.length} bytes`);
  }
  const fifty = await rest.send({ target: `/v1/games?${many.slice(0, 50).join("&")}` });
  t.deepEqual(
    (errorOf(fifty).details as readonly FieldFault[]).map(({ field }) => field),
    many.slice(0, 50),
  );
});

test("a refusal repeats at most 128 characters of a field's name", async (t) => {
  const rest = await startRest(t);
  for (const parts of [
    { target: `/v1/games?${"x".repeat(10_000)}=1` },
    { target: `/v1/games?%${"x".repeat(10_000)}=1` },
    { ...LAUNCH, body: JSON.stringify({ player_id: "ana", game: "x", ["\u{1F3B0}".repeat(10_000)]: 1 }) },
  ]) {
    const [fault] = errorOf(await rest.send(parts)).details as readonly FieldFault[];
    t.is(fault?.field.length, 131);
    t.true(fault?.field.endsWith("..."));
  }
});

test("of duplicate keys the last counts; unknown keys, also __proto__, are 422, and every fault comes at once", async (t) => {
  const rest = await startRest(t);
  const faultsOf = async (body: string): Promise<string[]> => {
    const error = errorOf(await rest.send({ ...LAUNCH, body }));
    return error.code === "VALIDATION_ERROR"
      ? (error.details as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`)
      : [error.code];
  };
  t.deepEqual(await faultsOf('{"player_id":1,"game":"x","player_id":"u"}'), ["GAME_NOT_FOUND"]);
  t.deepEqual(await faultsOf('{"player_id":"u","game":"x","__proto__":{"demo":true},"constructor":1,"extra":null}'), [
    "__proto__: unknown",
    "constructor: unknown",
    "extra: unknown",
  ]);
  t.deepEqual(await faultsOf('{"game":"","demo":"yes","currency":5,"lang":"fr","lobby_url":"javascript:x","x":1}'), [
    "x: unknown",
    "player_id: required",
    "game: 1..128 bytes",
    "currency: string",
    "lang: pt, es or en, with or without a region",
    "demo: boolean",
    "lobby_url: http or https URL",
  ]);
  t.is(({} as Record<string, unknown>).demo, undefined);
});

test("a body may have 64 KiB, counted while it is read; a larger one is 413 before any other check", async (t) => {
  const rest = await startRest(t);
  const body = (size: number) => `{"player_id":"${"x".repeat(size - 16)}"}`;
  t.is(body(65_536).length, 65_536);
  t.is(await codeOf(rest, { ...LAUNCH, body: body(65_536) }), "VALIDATION_ERROR");
  const reply = await rest.send({ ...LAUNCH, body: body(65_537) });
  t.deepEqual([reply.status, errorOf(reply).code], [413, "PAYLOAD_TOO_LARGE"]);
  const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`;
  const chunked = await exchange(
    rest.port,
    `POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
  );
  t.deepEqual([chunked.status, errorOf(chunked).code], [413, "PAYLOAD_TOO_LARGE"]);
});

test("a body without end is cut off", async (t) => {
  const rest = await startRest(t);
  const reply = await exchange(
    rest.port,
    `POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n${"x".repeat(3_000_000)}`,
  );
  // The answer is sent, but a caller that goes on sending may lose it with the connection.
  t.true(reply.status === 413 || Number.isNaN(reply.status));
});

test("bytes that are no HTTP, smuggled requests and endless headers get an error in the envelope and a closed connection", async (t) => {
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

test("unknown and repeated query parameters, bad values and bad encodings are 422, all at once", (t) => {
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

test("ids in a path are percent-decoded after the signature was checked, %2F too", async (t) => {
  const echo = route({
    method: "GET",
    path: "/v1/echo/{a}/{b}",
    query: {},
    answer: ({ path }) => ok({ message: SUCCESS_TEXTS.merchant, data: path }),
  });
  const rest = await startRest(t, { moreRoutes: [echo] });
  t.deepEqual(dataOf(await rest.send({ target: "/v1/echo/ACME%3A1%2F2/caf%C3%A9+1" })), { a: "ACME:1/2", b: "café+1" });
  for (const target of ["/v1/echo/a", "/v1/echo/a/b/c", "/v1/echo/a/", "/v1/echo/a/%ff", "/v1/echo/a/%"])
    t.is(await codeOf(rest, { target }), "NOT_FOUND", target);
});

test("an operation that throws is answered INTERNAL_ERROR, without the cause", async (t) => {
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

test("health needs no signature: live is always 200, and ready is 200 unless there is a reason against it", async (t) => {
  let reasons: string[] = [];
  const rest = await startRest(t, { notReady: () => reasons });
  const get = async (path: string, method = "GET") =>
    exchange(rest.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  t.is((await get("/health/live")).status, 200);
  t.is((await get("/health/ready")).status, 200);
  reasons = ["draining"];
  t.is((await get("/health/live")).status, 200);
  const reply = await get("/health/ready");
  t.deepEqual([reply.status, JSON.parse(reply.body)], [503, { status: "not_ready", reasons }]);
  t.is((await get("/health/ready", "HEAD")).body, "");
  const post = await get("/health/live", "POST");
  t.deepEqual([post.status, post.headers.allow], [405, "GET, HEAD"]);
});

test("a stop answers the running requests and refuses new ones", async (t) => {
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
