/** Limits and reasons as the running service has them: two replicas over one database. */
import { once } from "node:events";
import test from "ava";
import { callService } from "../../sandbox/merchant/service-client.ts";
import { sign } from "../../src/domain/signing.ts";
import { startMariaDb } from "../harness/mariadb.ts";
import { type Replica, startWorld } from "../harness/world.ts";

const signed = (code: string, secret: string): Record<string, string> => {
  const parts = { timestamp: String(Date.now()), nonce: crypto.randomUUID(), method: "GET", target: "/v1/merchant", body: "" };
  return { "X-Merchant-Id": code, "X-Timestamp": parts.timestamp, "X-Nonce": parts.nonce, "X-Signature": sign(secret, parts) };
};
const get = (replica: Replica, headers: Record<string, string>) => fetch(`http://127.0.0.1:${replica.ports.rest}/v1/merchant`, { headers });

test("replicas share a merchant's limit while both live, and only outside of production a wrong signature says why", async (t) => {
  const server = await startMariaDb();
  t.teardown(() => server.stop());
  const world = await startWorld(t, { databaseUrl: await server.createDatabase() });
  const secret = world.secrets.get("shop-brl") ?? "";
  const limit = async (replica: Replica) => Number((await get(replica, signed("shop-brl", secret))).headers.get("ratelimit-limit"));
  const until = async (replica: Replica, wanted: number) => {
    while ((await limit(replica)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const alone = await limit(world.first);
  t.true(alone > 0);
  const second = await world.start({ ENVIRONMENT: "production", WALLET_ALLOW_HTTP: "", WALLET_ALLOW_PRIVATE: "", DRAIN_DELAY_MS: "0" });
  await until(second, alone / 2);
  await until(world.first, alone / 2);

  const reasonFrom = async (replica: Replica) =>
    ((await (await get(replica, signed("shop-brl", "sk_other"))).json()) as { error: { details?: unknown } }).error.details;
  t.deepEqual(await reasonFrom(world.first), { reason: "mismatch" });
  t.is(await reasonFrom(second), undefined);
  const reply = await callService(`http://127.0.0.1:${second.ports.rest}`, { code: "shop-brl", secret }, "GET", "/v1/merchant");
  t.true(reply.ok);

  second.process.kill("SIGTERM");
  await once(second.process, "exit");
  t.is((await world.database.knex("heartbeats").select("replica")).length, 1, "who stops no longer counts");
});
