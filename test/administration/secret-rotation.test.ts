/** A merchant's secret is changed with an overlap: docs/specification/signing.md#sign-rotation. */
import { setTimeout } from "node:timers/promises";
import { durationFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import type { Service } from "../../src/service.ts";
import { type Admin, adminOf, MASTER_KEY, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();
const reason = "yearly";
const WRONG = "INVALID_SIGNATURE";

/** `ok`, or the error code, of GET /v1/merchant signed with each secret, on each replica. */
async function verdicts(replicas: readonly Service[], ...secrets: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const secret of secrets) {
    const each = new Set<string>();
    for (const { ports } of replicas) {
      const url = `http://127.0.0.1:${ports.rest}/aggregator`;
      const reply = await signedCall(url, { code: "casa", secret }, "GET", "/v1/merchant");
      each.add(reply.ok ? "ok" : reply.code);
    }
    seen.push([...each].join(" and "));
  }
  return seen;
}

async function started(t: { teardown(run: () => unknown): void }, url: string, env: Record<string, string> = {}) {
  const first = await startReplica(t, url, env);
  const replicas = url.startsWith("mysql:") ? [first, await startReplica(t, url, env)] : [first];
  const admin = adminOf(first);
  await admin.brands.createBrand({ code: "house" });
  const { secret } = await admin.merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house" });
  return { admin, replicas, old: secret };
}

const rotate = ({ merchants }: Admin, ms: number) =>
  merchants.rotateSecret({ code: "casa", reason, overlap: durationFromMs(ms) });
const shown = async ({ merchants }: Admin) => (await merchants.getMerchant({ code: "casa" })).merchant;
const settled = () => setTimeout(1_100);

test("both secrets are accepted during the overlap; after the rotation is finished only the new secret is accepted", async (t, url) => {
  const { admin, replicas, old } = await started(t, url);
  const before = Date.now();
  const made = await rotate(admin, 3_600_000);
  const endsAt = made.merchant?.rotationEndsAt ?? t.fail();
  t.true(Math.abs(timestampMs(endsAt) - before - 3_600_000) < 60_000);
  t.deepEqual(await verdicts(replicas, old, made.secret, `${old}x`), ["ok", "ok", WRONG]);
  const during = await shown(admin);
  t.deepEqual(during?.rotationEndsAt, endsAt);
  t.is(during?.secretVersion, 2);
  t.deepEqual((await admin.merchants.listMerchants({})).merchants[0]?.rotationEndsAt, endsAt);

  // Another change of the merchant, and a new master key, do not change the rotation.
  await admin.merchants.setMerchant({ code: "casa", name: "Casa" });
  await admin.keys.rotateMasterKey({ reason });
  await settled();
  t.deepEqual(await verdicts(replicas, old, made.secret), ["ok", "ok"]);
  t.deepEqual((await shown(admin))?.rotationEndsAt, endsAt);

  const finished = await admin.merchants.finishRotation({ code: "casa", reason });
  t.is(finished.merchant?.rotationEndsAt, undefined);
  t.is(finished.merchant?.secretVersion, 2);
  await settled();
  t.deepEqual(await verdicts(replicas, old, made.secret), [WRONG, "ok"]);
});

test("after a rotation is cancelled only the old secret is accepted, and the next rotation begins with the old secret", async (t, url) => {
  const { admin, replicas, old } = await started(t, url);
  const { secret: taken } = await rotate(admin, 3_600_000);
  const cancelled = await admin.merchants.cancelRotation({ code: "casa", reason });
  t.is(cancelled.merchant?.rotationEndsAt, undefined);
  t.is(cancelled.merchant?.secretVersion, 3);
  await settled();
  t.deepEqual(await verdicts(replicas, old, taken), ["ok", WRONG]);
  const { secret: next } = await rotate(admin, 3_600_000);
  t.deepEqual(await verdicts(replicas, old, next, taken), ["ok", "ok", WRONG]);
});

test("the overlap ends by itself, by the database's clock, on every replica", async (t, url) => {
  const { admin, replicas, old } = await started(t, url);
  const { secret, merchant } = await rotate(admin, 10_000);
  t.deepEqual(await verdicts(replicas, old, secret), ["ok", "ok"]);
  // The database runs on this machine, so both have the same clock.
  await setTimeout(timestampMs(merchant?.rotationEndsAt ?? t.fail()) + 100 - Date.now());
  t.deepEqual(await verdicts(replicas, old, secret), [WRONG, "ok"]);
  t.is((await shown(admin))?.rotationEndsAt, undefined);
  t.is(await refusalOf(admin.merchants.finishRotation({ code: "casa", reason })), "ROTATION_NOT_RUNNING code");
  const { secret: next } = await rotate(admin, 60_000);
  t.deepEqual(await verdicts(replicas, secret, next, old), ["ok", "ok", WRONG]);
});

test("a second rotation, an end without a rotation, a missing reason and a wrong overlap are refused", async (t, url) => {
  const { admin } = await started(t, url);
  const { merchants } = admin;
  for (const end of [merchants.finishRotation, merchants.cancelRotation]) {
    t.is(await refusalOf(end({ code: "casa", reason })), "ROTATION_NOT_RUNNING code");
    t.is(await refusalOf(end({ code: "nobody", reason })), "RECORD_NOT_FOUND code");
  }
  for (const ms of [0, 999, -5_000, 30 * 86_400_000 + 1])
    t.is(await refusalOf(rotate(admin, ms)), "VALIDATION_ERROR overlap", String(ms));
  await rotate(admin, 60_000);
  t.is(await refusalOf(rotate(admin, 60_000)), "ROTATION_RUNNING code");
  t.is(await refusalOf(merchants.rotateSecret({ code: "casa", reason })), "ROTATION_RUNNING code");
  for (const end of [merchants.finishRotation, merchants.cancelRotation])
    t.is(await refusalOf(end({ code: "casa" })), "VALIDATION_ERROR reason");
});

test("the audit log has the rotation and its end, without a secret", async (t, url) => {
  const { admin, old } = await started(t, url);
  const { secret, merchant } = await rotate(admin, 3_600_000);
  await admin.merchants.finishRotation({ code: "casa", reason: "all have it" });
  const { secret: taken } = await rotate(admin, 3_600_000);
  await admin.merchants.cancelRotation({ code: "casa", reason: "leaked" });
  const { entries } = await admin.audit.listAuditEntries({ target: "merchant casa", limit: 4 });
  t.deepEqual(
    entries.map((entry) => [entry.action, entry.reason]),
    [
      ["merchant cancel-rotation", "leaked"],
      ["merchant rotate-secret", reason],
      ["merchant finish-rotation", "all have it"],
      ["merchant rotate-secret", reason],
    ],
  );
  const text = JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? String(value) : value));
  t.true(text.includes(new Date(timestampMs(merchant?.rotationEndsAt ?? t.fail())).toISOString()));
  for (const one of [old, secret, taken]) t.false(text.includes(one));
});

test("both secrets are stored encrypted, and in production the old secret is deleted after the overlap", async (t, url) => {
  const production = {
    ENVIRONMENT: "production",
    WALLET_ALLOW_HTTP: "false",
    WALLET_ALLOW_PRIVATE: "false",
    PROVIDER_ALLOW_PRIVATE: "false",
  };
  const { admin, old } = await started(t, url, production);
  const { secret } = await rotate(admin, 5_000);
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const row = async () => (await database.knex("merchants").where({ code: "casa" }).first()) as Record<string, unknown>;
  const during = await row();
  t.not(during.previous_secret, null);
  for (const one of [old, secret, MASTER_KEY.toString("base64")])
    t.false(Object.values(during).some((cell) => String(cell).includes(one)));
  for (const until = Date.now() + 30_000; (await row()).previous_secret !== null && Date.now() < until; )
    await setTimeout(200);
  t.is((await row()).previous_secret, null);
  t.is((await row()).rotation_ends_at, null);
});
