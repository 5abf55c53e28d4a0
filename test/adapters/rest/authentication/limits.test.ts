import test from "ava";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { route } from "../../../../src/adapters/rest/route.ts";
import { SystemClock } from "../../../../src/adapters/system/system-clock.ts";
import { DEFAULT_RATES, RateLimits } from "../../../../src/app/capacity/rate-limits.ts";
import { ok } from "../../../../src/domain/errors.ts";
import { exchange, type RawReply } from "../../../../testbed/callers/raw-http.ts";
import {
  errorOf,
  type RestTestOptions,
  type RestUnderTest,
  type SignedParts,
  startRest,
} from "../../../../testbed/callers/rest-server.ts";
import { merchantRecord, SECRET } from "../../../../testbed/directory/records.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { MemoryNonceStore } from "../../../../testbed/memory/nonce-store.ts";

/** Counts the nonces that reach the store. */
class CountedNonces extends MemoryNonceStore {
  lines = 0;
  override use(lines: Parameters<MemoryNonceStore["use"]>[0]): Promise<boolean[]> {
    this.lines += lines.length;
    return super.use(lines);
  }
}

/** The limits of the service, by a clock that the test moves. */
async function world(t: Parameters<typeof startRest>[0], options: RestTestOptions = {}) {
  const time = new ManualClock();
  const nonces = new CountedNonces(new SystemClock());
  const rest = await startRest(t, { rateLimits: new RateLimits(time, () => 1), nonces, ...options });
  const save = async (code: string, more: Parameters<typeof merchantRecord>[1]) => {
    await rest.store.save({ kind: "merchant", merchant: merchantRecord(code, more) });
    await rest.settings.refresh();
  };
  return { time, nonces, rest, save };
}

const codeOf = (reply: RawReply): string => (reply.status === 200 ? "OK" : errorOf(reply).code);
const send = async (rest: RestUnderTest, times: number, parts: SignedParts = {}): Promise<RawReply[]> =>
  Promise.all(Array.from({ length: times }, () => rest.send(parts)));
/** The number of replies with each result. */
const counted = (replies: readonly RawReply[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(replies, codeOf)].map(([code, these]) => [code, these.length]));
const limitOf = ({ headers }: RawReply) => [
  headers["ratelimit-limit"],
  headers["ratelimit-remaining"],
  headers["ratelimit-reset"],
];

test("a burst of twice the rate is accepted; further requests get 429 and write no nonce; after Retry-After a call is accepted", async (t) => {
  const { time, nonces, rest } = await world(t);
  const replies = await send(rest, 60);
  t.deepEqual(counted(replies), { OK: 10, RATE_LIMITED: 50 });
  t.is(nonces.lines, 10);
  const refused = replies.find((reply) => reply.status === 429) as RawReply;
  t.deepEqual(errorOf(refused).details, { limit: "catalog", retry_after_s: 1 });
  t.deepEqual([refused.headers["retry-after"], ...limitOf(refused)], ["1", "10", "0", "2"]);
  await time.pass(1_000);
  t.deepEqual(counted(await send(rest, 20)), { OK: 5, RATE_LIMITED: 15 });
  t.is(nonces.lines, 15);
});

test("launches, the catalog, transactions and reports have separate limits; unknown paths count as calls of the catalog", async (t) => {
  const { rest, save } = await world(t);
  await save("other", {});
  const left = async (target: string, method = "GET") =>
    (await rest.send({ target, method, body: method === "POST" ? "{}" : "" })).headers["ratelimit-remaining"];
  t.is(await left("/v1/merchant"), "9");
  t.is(await left("/v1/games"), "8");
  t.is(await left("/v1/providers"), "7");
  t.is(await left("/v1/games/ACME/x"), "6");
  t.is(await left("/v1/nowhere"), "5");
  t.is(await left("/v1/transactionsx"), "4");
  t.is(await left("/v1/game/launch", "POST"), "99");
  t.is(await left("/v1/transactions"), "19");
  t.is(await left("/v1/transactions/ACME%3A1"), "18");
  t.is(await left("/v1/transactions/ACME%3A1/resend", "POST"), "17");
  t.is(await left("/v1/rounds/ACME/r1"), "16");
  t.is(await left("/v1/reports/ggr"), "1");
  t.is((await rest.send({ merchant: "other" })).headers["ratelimit-remaining"], "9");
});

test("a merchant's own rates apply as soon as the replica knows them", async (t) => {
  const { rest, save } = await world(t);
  await save("casa-br", { limits: { catalogRate: 1 } });
  t.deepEqual(counted(await send(rest, 6)), { OK: 2, RATE_LIMITED: 4 });
});

test("the rate limit is checked after the IP list and before the nonce", async (t) => {
  const { rest, save, nonces } = await world(t);
  await save("casa-br", { limits: { catalogRate: 0.5 }, ipList: ["192.0.2.1"] });
  t.deepEqual(counted(await send(rest, 3)), { IP_NOT_ALLOWED: 3 });
  await save("casa-br", { limits: { catalogRate: 0.5 } });
  const nonce = "used_twice_0123456789";
  t.is(codeOf(await rest.send({ nonce })), "OK", "what was refused before did not count");
  t.is(codeOf(await rest.send({ nonce })), "RATE_LIMITED");
  t.is(nonces.lines, 1);
});

test("a reply has RateLimit headers exactly when the merchant's limit was checked", async (t) => {
  const faulty = route({
    method: "GET",
    path: "/v1/faulty",
    query: {},
    answer: () => {
      throw new Error("a bug");
    },
  });
  const done = route({
    method: "GET",
    path: "/v1/done",
    query: {},
    answer: () => ok({ message: SUCCESS_TEXTS.merchant, data: {}, headers: { "X-Own": "1" } }),
  });
  const plenty = new RateLimits(new ManualClock(), () => 1, {
    ...DEFAULT_RATES,
    operations: { ...DEFAULT_RATES.operations, catalog: 100 },
  });
  const { rest, save } = await world(t, { moreRoutes: [faulty, done], rateLimits: plenty });
  const nonce = "once_and_again_0123";
  const limited: readonly (readonly [number, SignedParts])[] = [
    [200, { nonce }],
    [401, { nonce }],
    [404, { target: "/v1/nowhere" }],
    [405, { method: "DELETE" }],
    [415, { method: "POST", target: "/v1/game/launch", body: "{}", headers: { "Content-Type": "text/plain" } }],
    [400, { body: "{}" }],
    [422, { target: "/v1/games?x=1" }],
    [500, { target: "/v1/faulty" }],
    [200, { target: "/v1/done" }],
    [304, { target: "/v1/games", headers: { "If-None-Match": "*" } }],
  ];
  for (const [status, parts] of limited) {
    const reply = await rest.send(parts);
    t.is(reply.status, status, JSON.stringify(parts));
    t.true(
      limitOf(reply).every((value) => /^\d+$/.test(value ?? "")),
      `${status}: ${limitOf(reply)}`,
    );
  }
  t.is((await rest.send({ target: "/v1/done" })).headers["x-own"], "1");
  await save("closed", { enabled: false });
  const unlimited: readonly (readonly [number, SignedParts])[] = [
    [413, { method: "POST", body: "x".repeat(65_537) }],
    [401, { headers: { "X-Nonce": null } }],
    [401, { timestamp: "1" }],
    [401, { nonce: "short" }],
    [401, { secret: "wrong" }],
    [403, { merchant: "closed" }],
    [404, { target: "/elsewhere" }],
  ];
  for (const [status, parts] of unlimited) {
    const reply = await rest.send(parts);
    t.is(reply.status, status, JSON.stringify(parts));
    t.deepEqual(limitOf(reply), [undefined, undefined, undefined], String(status));
  }
});

test("an address may make 400 calls at once, counted before any other check; X-Forwarded-For is used only from trusted proxies", async (t) => {
  const { time, rest } = await world(t, { trustedProxies: ["127.0.0.1"] });
  const from = (address: string): SignedParts => ({ headers: { "X-Signature": null, "X-Forwarded-For": address } });
  const replies = await send(rest, 410, from("203.0.113.7"));
  // The bucket of failed authentications of one address and merchant is empty first. Its refusals name another limit.
  const byAddress = replies.filter(
    (reply) => reply.status === 429 && (errorOf(reply).details as { limit: string }).limit === "address",
  );
  t.is(byAddress.length, 10);
  t.is(byAddress[0]?.headers["retry-after"], "1");
  t.deepEqual(limitOf(byAddress[0] as RawReply), [undefined, undefined, undefined]);
  t.is(
    codeOf(await rest.send({ headers: { "X-Forwarded-For": "203.0.113.7" } })),
    "RATE_LIMITED",
    "a right signature, too",
  );
  t.is(codeOf(await rest.send({ headers: { "X-Forwarded-For": "203.0.113.8" } })), "OK");
  t.is(codeOf(await rest.send({ headers: { "X-Forwarded-For": "203.0.113.7, 203.0.113.9" } })), "OK");
  await time.pass(1_000);
  t.is(codeOf(await rest.send({ headers: { "X-Forwarded-For": "203.0.113.7" } })), "OK");

  const unproxied = await world(t);
  const spoofed = await Promise.all(
    Array.from({ length: 401 }, (_, n) => unproxied.rest.send(from(`203.0.113.${n % 250}`))),
  );
  t.is(
    spoofed.filter((reply) => reply.status === 429 && (errorOf(reply).details as { limit: string }).limit === "address")
      .length,
    1,
  );
});

test("requests for pages count for the caller's address, too; health checks do not count", async (t) => {
  const { time, rest } = await world(t, { trustedProxies: ["127.0.0.1"] });
  const get = (path: string, address: string) =>
    exchange(rest.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  const paths = ["/openapi.json", "/docs", "/docs/reference.css", "/nowhere"];
  const replies = await Promise.all(Array.from({ length: 404 }, (_, i) => get(paths[i % 4] as string, "203.0.113.7")));
  const refused = replies.filter(({ status }) => status === 429);
  t.is(refused.length, 4);
  t.deepEqual(errorOf(refused[0] as RawReply).details, { limit: "address", retry_after_s: 1 });
  t.is(refused[0]?.headers["retry-after"], "1");
  t.is(
    codeOf(await rest.send({ headers: { "X-Forwarded-For": "203.0.113.7" } })),
    "RATE_LIMITED",
    "pages and calls share the limit",
  );
  for (const path of ["/health/live", "/health/ready"]) t.is((await get(path, "203.0.113.7")).status, 200, path);
  t.is((await get("/docs", "203.0.113.8")).status, 200);
  await time.pass(1_000);
  t.is((await get("/docs", "203.0.113.7")).status, 200);
});

test("60 failed authentications a minute get their own codes; further ones get 429, and a right signature is still accepted", async (t) => {
  const { time, rest, save, nonces } = await world(t);
  await save("other", {});
  const wrong = { secret: "wrong" };
  t.deepEqual(counted(await send(rest, 15, { headers: { "X-Nonce": null } })), { AUTH_HEADERS_MISSING: 15 });
  t.deepEqual(counted(await send(rest, 15, { timestamp: "1" })), { INVALID_TIMESTAMP: 15 });
  t.deepEqual(counted(await send(rest, 15, { nonce: "short" })), { INVALID_NONCE: 15 });
  t.deepEqual(counted(await send(rest, 25, wrong)), { INVALID_SIGNATURE: 15, RATE_LIMITED: 10 });
  const refused = await rest.send(wrong);
  t.deepEqual(
    [refused.status, refused.headers["retry-after"], errorOf(refused).details],
    [429, "1", { limit: "authentication", retry_after_s: 1 }],
  );
  t.deepEqual(limitOf(refused), [undefined, undefined, undefined]);
  t.is(codeOf(await rest.send({})), "OK");
  t.is(codeOf(await rest.send({ ...wrong, merchant: "other" })), "INVALID_SIGNATURE", "another merchant");
  t.is(codeOf(await rest.send({ merchant: "nobody" })), "INVALID_SIGNATURE");
  await time.pass(1_000);
  t.deepEqual(counted(await send(rest, 3, wrong)), { INVALID_SIGNATURE: 1, RATE_LIMITED: 2 });
  t.is(nonces.lines, 1);
});

test("failures for an existing and for an unknown merchant become 429 at the same number", async (t) => {
  const { rest } = await world(t);
  const outcomes = [
    await send(rest, 70, { secret: "wrong" }),
    await send(rest, 70, { merchant: "nobody", secret: SECRET }),
  ].map(counted);
  t.deepEqual(outcomes[0], { INVALID_SIGNATURE: 60, RATE_LIMITED: 10 });
  t.deepEqual(outcomes[1], outcomes[0]);
});
