/** Tests the rate limits and the refusals of wrong signatures with two replicas of the service on one database. */
import { once } from "node:events";
import test from "ava";
import { sign } from "../../src/domain/signing/signing.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";

const signed = (code: string, secret: string): Record<string, string> => {
  const parts = {
    timestamp: String(Date.now()),
    nonce: crypto.randomUUID(),
    method: "GET",
    target: "/v1/merchant",
    body: "",
  };
  return {
    "X-Merchant-Id": code,
    "X-Timestamp": parts.timestamp,
    "X-Nonce": parts.nonce,
    "X-Signature": sign(secret, parts),
  };
};
const get = (replica: Replica, headers: Record<string, string>) =>
  fetch(`http://127.0.0.1:${replica.ports.rest}/v1/merchant`, { headers });

const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
const signature = (headers: Record<string, string>, change: (right: string) => string) => ({
  ...headers,
  "X-Signature": change(headers["X-Signature"] ?? ""),
});
const at = (headers: Record<string, string>, ms: number) => ({
  ...headers,
  "X-Timestamp": String(Number(headers["X-Timestamp"]) + ms),
});

/** Each entry makes the four signed headers wrong in one way: a header is missing, changed or repeated. */
const WRONG: Readonly<Record<string, (headers: Record<string, string>) => Record<string, string>>> = {
  "no merchant": (headers) => without(headers, "X-Merchant-Id"),
  "no timestamp": (headers) => without(headers, "X-Timestamp"),
  "no nonce": (headers) => without(headers, "X-Nonce"),
  "no signature": (headers) => without(headers, "X-Signature"),
  "nothing at all": () => ({}),
  "an empty signature": (headers) => signature(headers, () => ""),
  "a short signature": (headers) => signature(headers, (right) => right.slice(0, 32)),
  "a long signature": (headers) => signature(headers, (right) => `${right}00`),
  "upper case": (headers) => signature(headers, (right) => right.replaceAll(/[a-f]/g, "A").toUpperCase()),
  "one digit off": (headers) => signature(headers, (right) => right.slice(0, -1) + (right.endsWith("0") ? "1" : "0")),
  zeros: (headers) => signature(headers, () => "0".repeat(64)),
  base64: (headers) => signature(headers, (right) => Buffer.from(right, "hex").toString("base64")),
  "a signature twice": (headers) => signature(headers, (right) => `${right}, ${right}`),
  "another merchant's name": (headers) => ({ ...headers, "X-Merchant-Id": "shop-clp" }),
  "nobody's name": (headers) => ({ ...headers, "X-Merchant-Id": "nobody" }),
  "another time": (headers) => at(headers, 1),
  "a time long ago": (headers) => at(headers, -301_000),
  "a time to come": (headers) => at(headers, 301_000),
  "seconds for milliseconds": (headers) => ({ ...headers, "X-Timestamp": String(headers["X-Timestamp"]).slice(0, 10) }),
  "another nonce": (headers) => ({ ...headers, "X-Nonce": crypto.randomUUID() }),
  "a nonce with a dot": (headers) => ({ ...headers, "X-Nonce": `${headers["X-Nonce"]}.x` }),
};

test("two live replicas share a merchant's limit and refuse wrong signatures, and in production a refusal has no reason", async (t) => {
  const server = await startDatabaseServer();
  t.teardown(() => server.stop());
  const world = await startWorldOfProcesses(t, { databaseUrl: await server.createDatabase() });
  const secret = world.secrets.get("shop-brl") ?? "";
  const limit = async (replica: Replica) =>
    Number((await get(replica, signed("shop-brl", secret))).headers.get("ratelimit-limit"));
  const until = async (replica: Replica, wanted: number) => {
    while ((await limit(replica)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const alone = await limit(world.first);
  t.true(alone > 0);
  const second = await world.start({
    ENVIRONMENT: "production",
    WALLET_ALLOW_HTTP: "",
    WALLET_ALLOW_PRIVATE: "",
    DRAIN_DELAY_MS: "0",
  });
  await until(second, alone / 2);
  await until(world.first, alone / 2);

  const reasonFrom = async (replica: Replica) =>
    ((await (await get(replica, signed("shop-brl", "sk_other"))).json()) as { error: { details?: unknown } }).error
      .details;
  t.deepEqual(await reasonFrom(world.first), { reason: "mismatch" });
  t.is(await reasonFrom(second), undefined);
  const reply = await signedCall(
    `http://127.0.0.1:${second.ports.rest}`,
    { code: "shop-brl", secret },
    "GET",
    "/v1/merchant",
  );
  t.true(reply.ok);

  // Requests with right signatures would not show that a check is missing. So the test also sends wrong signatures,
  // which the running service must refuse.
  for (const [what, change] of Object.entries(WRONG)) {
    const { status } = await get(second, change(signed("shop-brl", secret)));
    t.true(status === 401 || status === 400 || status === 429, `${what}: ${status}`);
  }
  t.true(
    (await signedCall(`http://127.0.0.1:${second.ports.rest}`, { code: "shop-brl", secret }, "GET", "/v1/merchant")).ok,
    "and what is right is not",
  );

  second.process.kill("SIGTERM");
  await once(second.process, "exit");
  t.is((await world.database.knex("heartbeats").select("replica")).length, 1, "who stops no longer counts");
});
