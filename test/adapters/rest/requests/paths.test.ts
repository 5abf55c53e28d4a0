/** The path of a request: the spellings that are routed, and the text that is signed. */
import test from "ava";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { route } from "../../../../src/adapters/rest/route.ts";
import { ok } from "../../../../src/domain/errors.ts";
import { codeOf, dataOf, errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";

test("an unsigned call to an unknown path gets 401 under /v1, and 404 elsewhere", async (t) => {
  const rest = await startRest(t);
  for (const target of ["/v1", "/v1/", "/v1/nowhere", "/v1?x"])
    t.is(await codeOf(rest, { target, headers: { "X-Signature": null } }), "AUTH_HEADERS_MISSING", target);
  for (const target of ["/", "/v2/merchant", "/v1x/merchant", "/V1/merchant", "//v1/merchant", "/favicon.ico"]) {
    const reply = await rest.send({ target, headers: { "X-Signature": null } });
    t.deepEqual([reply.status, errorOf(reply).code], [404, "NOT_FOUND"], target);
  }
});

test("an ambiguous request target gets 400 after the authentication and before the route is searched", async (t) => {
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

/** Spellings of a path that some parsers would read as another path. */
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

test("only the signed spelling of a path reaches its operation; any other spelling gets 404", async (t) => {
  t.true(PATHS.length >= 60);
  const rest = await startRest(t);
  for (const target of PATHS) t.true(["BAD_REQUEST", "NOT_FOUND"].includes(await codeOf(rest, { target })), target);
});

test("the path of PUBLIC_URL is accepted before /v1 and is not signed", async (t) => {
  const rest = await startRest(t, { pathPrefix: "/aggregator" });
  t.is(await codeOf(rest, { sentTarget: "/aggregator/v1/merchant" }), "OK");
  t.is(await codeOf(rest, {}), "OK");
  t.is(await codeOf(rest, { target: "/aggregator/v1/merchant" }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { sentTarget: "/aggregator2/v1/merchant" }), "NOT_FOUND");
  t.is(await codeOf(rest, { sentTarget: "/aggregator/aggregator/v1/merchant" }), "NOT_FOUND");
});

test("ids in a path are percent-decoded after the check of the signature, %2F too", async (t) => {
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
