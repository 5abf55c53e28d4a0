import test from "ava";
import { DEFAULT_RATES, RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { type Admission, Authenticate, type SignedRequest } from "../../../src/app/merchant/authenticate.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { sign } from "../../../src/domain/signing/signing.ts";
import type { EpochReading } from "../../../src/ports/settings-store.ts";
import { merchantRecord, SECRET } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryNonceStore } from "../../../testbed/memory/nonce-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";

class CountingSettings extends MemorySettingsStore {
  reads = 0;
  override async epoch(): Promise<EpochReading> {
    this.reads += 1;
    return super.epoch();
  }
}

class CountingNonces extends MemoryNonceStore {
  batches: number[] = [];
  override async use(lines: Parameters<MemoryNonceStore["use"]>[0]): Promise<boolean[]> {
    this.batches.push(lines.length);
    await new Promise((resolve) => setImmediate(resolve));
    return super.use(lines);
  }
}

async function world(t: { teardown(run: () => void): void }) {
  const clock = new ManualClock();
  const store = new CountingSettings(clock);
  await store.save({ kind: "merchant", merchant: merchantRecord("casa") });
  const settings = new Settings(store, clock, new RecordedTelemetry());
  await settings.start();
  t.teardown(() => settings.stop());
  const nonces = new CountingNonces(clock);
  const rateLimits = new RateLimits(clock, () => 1, {
    ...DEFAULT_RATES,
    operations: { ...DEFAULT_RATES.operations, catalog: 1_000 },
    failuresPerMinute: 1_000,
  });
  const authenticate = new Authenticate(settings, nonces, rateLimits, clock, new RecordedTelemetry(), {
    explains: false,
    pathPrefix: "",
  });
  let sent = 0;
  const request = (merchant: string, secret = SECRET): SignedRequest => {
    const parts = {
      timestamp: String(clock.now()),
      nonce: `nonce_${String(++sent).padStart(10, "0")}`,
      method: "GET",
      target: "/v1/merchant",
      body: Buffer.alloc(0),
    };
    const headers = {
      "x-merchant-id": [merchant],
      "x-timestamp": [parts.timestamp],
      "x-nonce": [parts.nonce],
      "x-signature": [sign(secret, parts)],
    };
    return {
      method: parts.method,
      target: parts.target,
      headers,
      body: parts.body,
      address: "203.0.113.9",
      operation: "catalog",
    };
  };
  return { clock, store, nonces, authenticate, request };
}

for (const [who, merchant, secret] of [
  ["unknown merchant codes", "nobody", SECRET],
  ["wrong signatures", "casa", "wrong"],
] as const) {
  test(`many requests with ${who} share a few reads of the settings, and store no nonce`, async (t) => {
    const { clock, store, nonces, authenticate, request } = await world(t);
    const before = store.reads;
    const refused: Promise<Admission>[] = [];
    for (let ms = 0; ms < 1_000; ms += 5) {
      refused.push(authenticate.authenticate(request(merchant, secret)));
      await clock.pass(5);
    }
    await clock.pass(200);
    const outcomes = await Promise.all(refused);
    t.deepEqual(
      outcomes.map(({ caller }) => caller),
      Array(200).fill({ ok: false, refusal: { code: "INVALID_SIGNATURE" } }),
    );
    const polls = 5;
    const looks = store.reads - before - polls;
    t.true(looks > 0 && looks <= 13, `${looks} looks in 1.2 s`);
    t.deepEqual(nonces.batches, []);
  });
}

test("requests signed with either secret are accepted until the end of the overlap; after that only the new secret is accepted", async (t) => {
  const { clock, store, authenticate, request } = await world(t);
  const verdict = async (secret: string) => {
    const attempt = authenticate.authenticate(request("casa", secret));
    // A wrong signature waits for a read of the settings.
    while (true) {
      const settled = await Promise.race([
        attempt,
        new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
      ]);
      if (settled !== undefined) return settled.caller.ok ? "ok" : settled.caller.refusal.code;
      await clock.pass(10);
    }
  };
  const rotationEndsAt = clock.now() + 60_000;
  await store.save({
    kind: "merchant",
    merchant: merchantRecord("casa", { secret: "sk_new", secretVersion: 2, previousSecret: SECRET, rotationEndsAt }),
  });
  t.is(await verdict("sk_new"), "ok");
  t.is(await verdict(SECRET), "ok");
  t.is(await verdict("sk_other"), "INVALID_SIGNATURE");
  await clock.pass(rotationEndsAt - clock.now() - 500);
  t.is(await verdict(SECRET), "ok", "half a second before the end");
  await clock.pass(500);
  t.is(await verdict(SECRET), "INVALID_SIGNATURE", "at the end");
  t.is(await verdict("sk_new"), "ok");
});

test("the placeholder for a merchant's missing secret is never accepted", async (t) => {
  const { clock, authenticate, request } = await world(t);
  const standIn = `sk_${"0".repeat(43)}`;
  for (const merchant of ["casa", "nobody"]) {
    const attempt = authenticate.authenticate(request(merchant, standIn));
    await clock.pass(500);
    t.deepEqual((await attempt).caller, { ok: false, refusal: { code: "INVALID_SIGNATURE" } }, merchant);
  }
});

test("many concurrent nonces are stored with few statements", async (t) => {
  const { nonces, authenticate, request } = await world(t);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => authenticate.authenticate(request("casa"))));
  t.true(outcomes.every(({ caller }) => caller.ok));
  t.true(nonces.batches.length <= 3, nonces.batches.join());
});

test("of ten concurrent copies of a signed request one is accepted, and nine get NONCE_REUSED", async (t) => {
  const { clock, authenticate, request } = await world(t);
  const copy = request("casa");
  const attempts = Promise.all(Array.from({ length: 10 }, () => authenticate.authenticate(copy)));
  // Copies of a nonce never share a statement, and a statement waits for a moment for more nonces.
  for (let i = 0; i < 100; i++) await clock.pass(1);
  const outcomes = await attempts;
  t.deepEqual(outcomes.map(({ caller }) => (caller.ok ? "OK" : caller.refusal.code)).sort(), [
    ...Array(9).fill("NONCE_REUSED"),
    "OK",
  ]);
});
