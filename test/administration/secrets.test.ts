import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import type { Service } from "../../src/service.ts";
import { type Admin, adminOf, MASTER_KEY, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { signedCall, signedCallOnce } from "../../testbed/callers/signed-call.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

async function withMerchants(admin: Admin, ...codes: readonly string[]): Promise<string[]> {
  await admin.brands.createBrand({ code: "house" });
  const secrets: string[] = [];
  for (const code of codes)
    secrets.push(
      (await admin.merchants.createMerchant({ code, currency: "BRL", brand: "house", products: ["slot"] })).secret,
    );
  return secrets;
}

/** `ok`, or the error code, of a signed GET /v1/merchant. */
async function resultOf({ ports }: Service, code: string, secret: string, call = signedCall): Promise<string> {
  const reply = await call(`http://127.0.0.1:${ports.rest}/aggregator`, { code, secret }, "GET", "/v1/merchant");
  return reply.ok ? "ok" : reply.code;
}

test("a new secret is accepted at once and the old secret no longer, on every replica within a second", async (t, url) => {
  const first = await startReplica(t, url);
  const second = url.startsWith("mysql:") ? await startReplica(t, url) : first;
  const admin = adminOf(first);
  let [secret = ""] = await withMerchants(admin, "casa");
  for (let turn = 0; turn < 3; turn++) {
    const { secret: next } = await admin.merchants.rotateSecret({ code: "casa", reason: "test" });
    t.is(await resultOf(second, "casa", next), "ok", "at once, where it wasn't made");
    t.is(await resultOf(first, "casa", next), "ok");
    for (const replica of [first, second]) t.is(await resultOf(replica, "casa", secret), "INVALID_SIGNATURE");
    secret = next;
  }
  // After a second this replica has the new secret by its own reads of the settings.
  const { secret: last } = await admin.merchants.rotateSecret({ code: "casa", reason: "test" });
  await setTimeout(1_000);
  t.is(await resultOf(second, "casa", secret), "INVALID_SIGNATURE");
  t.is(await resultOf(second, "casa", last), "ok");
});

test("a disabled merchant and a changed IP list take effect at once", async (t, url) => {
  const service = await startReplica(t, url);
  const { merchants } = adminOf(service);
  const [secret = ""] = await withMerchants(adminOf(service), "casa");
  await merchants.disableMerchant({ code: "casa", reason: "test" });
  t.is(await resultOf(service, "casa", secret), "MERCHANT_DISABLED");
  await merchants.enableMerchant({ code: "casa" });
  await merchants.setMerchant({ code: "casa", ipList: { values: ["192.0.2.0/24"] } });
  t.is(await resultOf(service, "casa", secret), "IP_NOT_ALLOWED");
  await merchants.setMerchant({ code: "casa", ipList: { values: ["127.0.0.0/8"] } });
  t.is(await resultOf(service, "casa", secret), "ok");
});

test("the master key is replaced while the service runs, and a second rotation of the master key changes nothing", async (t, url) => {
  const next = randomBytes(32);
  const keys = (...list: readonly Buffer[]) => ({ MASTER_KEY: list.map((key) => key.toString("base64")).join(",") });
  const old = await startReplica(t, url);
  const [secret = ""] = await withMerchants(adminOf(old), ...Array.from({ length: 120 }, (_, n) => `casa-${n}`));
  await adminOf(old).merchants.rotateSecret({ code: "casa-1", reason: "test" });
  await old.stop();

  const service = await startReplica(t, url, keys(next, MASTER_KEY));
  const { keys: masters, audit } = adminOf(service);
  const { reencrypted, total } = await masters.rotateMasterKey({ reason: "yearly" });
  t.deepEqual([reencrypted, total], [120, 120]);
  t.is(await resultOf(service, "casa-0", secret), "ok");
  t.deepEqual((({ reencrypted: again, total: all }) => [again, all])(await masters.rotateMasterKey({})), [0, 120]);
  t.like((await audit.listAuditEntries({ action: "key" })).entries[1], {
    action: "key rotate-master",
    actor: "ADMIN_KEY",
    reason: "yearly",
  });
  await service.stop();

  const without = await startReplica(t, url, keys(next));
  t.is(await resultOf(without, "casa-0", secret), "ok");
  await without.stop();
  await t.throwsAsync(startReplica(t, url), { message: /no key of MASTER_KEY/ });
});

test("a stored secret is refused in another merchant's row, and under another version", async (t, url) => {
  const service = await startReplica(t, url);
  await withMerchants(adminOf(service), "casa", "thief");
  await service.stop();
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const { secret } = await database.knex("merchants").where({ code: "casa" }).first("secret");
  const { secret: own } = await database.knex("merchants").where({ code: "thief" }).first("secret");
  await database.knex("merchants").where({ code: "thief" }).update({ secret });
  await t.throwsAsync(startReplica(t, url), { message: /no key of MASTER_KEY/ });
  await database.knex("merchants").where({ code: "thief" }).update({ secret: own, secret_version: 2 });
  await t.throwsAsync(startReplica(t, url), { message: /no key of MASTER_KEY/ });
});

test("the secret before the present one is kept in staging, but not in production", async (t, url) => {
  for (const [environment, keeps] of [
    ["staging", true],
    ["production", false],
  ] as const) {
    const service = await startReplica(t, url, { ENVIRONMENT: environment, DRAIN_DELAY_MS: "0" });
    const { merchants, brands } = adminOf(service);
    await brands.createBrand({ code: environment });
    await merchants.createMerchant({ code: environment, currency: "BRL", brand: environment });
    await merchants.rotateSecret({ code: environment, reason: "test" });
    await service.stop();
    const database = openDatabase(url);
    const row = await database.knex("merchants").where({ code: environment }).first("previous_secret");
    await database.close();
    t.is(row.previous_secret !== null, keeps, environment);
  }
});

test("a replica without access to the settings refuses calls", async (t, url) => {
  const service = await startReplica(t, url);
  const [secret = ""] = await withMerchants(adminOf(service), "casa");
  const database = openDatabase(url);
  t.teardown(() => database.close());
  await database.knex.schema.renameTable("settings_epoch", "away");
  // Slower than the merchant's rate limit, which a fast machine would reach.
  const once = () => resultOf(service, "casa", secret, signedCallOnce);
  for (let result = await once(); result !== "SERVICE_UNAVAILABLE"; result = await once()) {
    t.is(result, "ok");
    await setTimeout(250);
  }
  t.is(await refusalOf(adminOf(service).brands.listBrands({})), "SERVICE_UNAVAILABLE");
  t.is(await refusalOf(adminOf(service).brands.createBrand({ code: "b" })), "SERVICE_UNAVAILABLE");
  await database.knex.schema.renameTable("away", "settings_epoch");
  t.is(await resultOf(service, "casa", secret), "ok");
});
