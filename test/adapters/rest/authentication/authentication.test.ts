import test from "ava";
import { SystemClock } from "../../../../src/adapters/system/system-clock.ts";
import { sign } from "../../../../src/domain/signing/signing.ts";
import type { EpochReading } from "../../../../src/ports/settings-store.ts";
import { codeOf, dataOf, errorOf, NOW, startRest } from "../../../../testbed/callers/rest-server.ts";
import { merchantRecord, SECRET } from "../../../../testbed/directory/records.ts";
import { MemoryNonceStore } from "../../../../testbed/memory/nonce-store.ts";
import { MemorySettingsStore } from "../../../../testbed/memory/settings-store.ts";

test("the reply has the code of the first check that fails; the checks run in the documented order", async (t) => {
  const rest = await startRest(t);
  const save = async (more: Parameters<typeof merchantRecord>[1]) => {
    await rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-br", more) });
    await rest.settings.readForUnknown();
  };
  const nonce = "used_before_0123456789";
  t.is(await codeOf(rest, { nonce }), "OK");
  await save({ enabled: false, ipList: ["192.0.2.1"] });

  const all = { nonce: "bad.nonce.0123456789", timestamp: "x", signature: "0".repeat(64), target: "/v1/nowhere" };
  t.is(
    await codeOf(rest, { ...all, method: "POST", body: "x".repeat(65_537), headers: { "X-Merchant-Id": null } }),
    "PAYLOAD_TOO_LARGE",
  );
  t.is(await codeOf(rest, { ...all, headers: { "X-Merchant-Id": null } }), "AUTH_HEADERS_MISSING");
  t.is(await codeOf(rest, all), "INVALID_TIMESTAMP");
  t.is(await codeOf(rest, { ...all, timestamp: "0000000000000" }), "TIMESTAMP_OUT_OF_RANGE");
  t.is(await codeOf(rest, { ...all, timestamp: String(NOW) }), "INVALID_NONCE");
  t.is(await codeOf(rest, { nonce, signature: all.signature, target: all.target }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { nonce, target: all.target }), "MERCHANT_DISABLED");
  await save({ ipList: ["192.0.2.1"] });
  t.is(await codeOf(rest, { nonce, target: all.target }), "IP_NOT_ALLOWED");
  await save({});
  t.is(await codeOf(rest, { nonce, target: all.target }), "NONCE_REUSED");
  t.is(await codeOf(rest, { target: all.target }), "NOT_FOUND");
  t.is(await codeOf(rest, {}), "OK");
});

test("each of the four headers must be present once and not empty; details.missing lists the missing headers", async (t) => {
  const rest = await startRest(t);
  for (const name of ["X-Merchant-Id", "X-Timestamp", "X-Nonce", "X-Signature"]) {
    for (const value of [null, "", "  ", ["same", "same"], ["one", "two"]]) {
      const error = errorOf(await rest.send({ headers: { [name]: value } }));
      t.deepEqual(
        [error.code, error.details],
        ["AUTH_HEADERS_MISSING", { missing: [name] }],
        `${name}: ${JSON.stringify(value)}`,
      );
    }
  }
  const none = { "X-Merchant-Id": null, "X-Timestamp": null, "X-Nonce": null, "X-Signature": null };
  t.deepEqual(errorOf(await rest.send({ headers: none })).details, { missing: Object.keys(none) });
});

test("a timestamp has 13 digits; a timestamp with ten digits gets a hint", async (t) => {
  const rest = await startRest(t);
  for (const timestamp of [
    "1767225600",
    "17672256000000",
    "176722560000",
    "1.76722560e12",
    "-767225600000",
    "１７６７２２５６０００００",
  ]) {
    const error = errorOf(await rest.send({ timestamp }));
    t.is(error.code, "INVALID_TIMESTAMP", timestamp);
    t.is(
      typeof (error.details as { hint?: string } | undefined)?.hint,
      timestamp.length === 10 ? "string" : "undefined",
      timestamp,
    );
  }
});

test("a timestamp may be up to five minutes early or late, including exactly five minutes", async (t) => {
  const rest = await startRest(t);
  for (const off of [300_000, -300_000]) t.is(await codeOf(rest, { timestamp: String(NOW + off) }), "OK");
  for (const off of [300_001, -300_001]) {
    const error = errorOf(await rest.send({ timestamp: String(NOW + off) }));
    t.deepEqual(
      [error.code, error.details],
      ["TIMESTAMP_OUT_OF_RANGE", { server_time: NOW, received: NOW + off, tolerance_ms: 300_000 }],
    );
  }
});

test("a nonce has 16 to 64 characters and no dot", async (t) => {
  const rest = await startRest(t);
  for (const nonce of ["a".repeat(16), "-".repeat(64)]) t.is(await codeOf(rest, { nonce }), "OK", nonce);
  for (const nonce of [
    "a".repeat(15),
    "a".repeat(65),
    "0123456789.123456",
    "0123456789 123456",
    "0123456789ção3456",
    "0123456789+/3456",
  ])
    t.is(await codeOf(rest, { nonce }), "INVALID_NONCE", nonce);
});

test("an unknown merchant and a wrong signature get the same answer", async (t) => {
  const rest = await startRest(t);
  const answers = [
    await rest.send({ merchant: "nobody" }),
    await rest.send({ secret: "wrong" }),
    await rest.send({ merchant: "casa-br, casa-br" }),
  ].map((reply) => {
    const { request_id, ...error } = errorOf(reply);
    const { "x-request-id": id, date, ...headers } = reply.headers;
    t.is(id, request_id);
    return { status: reply.status, error, headers };
  });
  t.is(answers[0]?.status, 401);
  t.is(answers[0]?.error.code, "INVALID_SIGNATURE");
  t.deepEqual(answers[1], answers[0]);
  t.deepEqual(answers[2], answers[0]);
});

test("a malformed signature is refused and causes no internal error", async (t) => {
  const rest = await startRest(t);
  for (const signature of [
    "0",
    "zz".repeat(32),
    "0".repeat(63),
    "0".repeat(65),
    "é".repeat(32),
    "0".repeat(10_000),
    `0x${"0".repeat(62)}`,
  ]) {
    t.is(await codeOf(rest, { signature }), "INVALID_SIGNATURE", signature.slice(0, 70));
  }
  t.deepEqual(rest.telemetry.errors, []);
});

test("a change of the method, the target, the query or the body makes the signature wrong", async (t) => {
  const rest = await startRest(t);
  const parts = {
    method: "POST",
    target: "/v1/game/launch",
    body: '{"player_id":"joão"}',
    timestamp: String(NOW),
    nonce: "tampered_with_0123",
  };
  const signature = sign(SECRET, parts);
  for (const change of [
    { method: "PUT" },
    { sentTarget: "/v1/game/launch?" },
    { sentTarget: "/v1/game/launch/" },
    { body: `${parts.body}\n` },
    { body: '{"player_id":"joao"}' },
    { body: "" },
    { body: `\ufeff${parts.body}` },
  ]) {
    t.is(
      await codeOf(rest, { ...parts, signature, ...change, target: change.sentTarget ?? parts.target }),
      "INVALID_SIGNATURE",
      JSON.stringify(change),
    );
  }
  t.is(await codeOf(rest, { ...parts, signature }), "VALIDATION_ERROR");
  const query = { target: "/v1/games?limit=1&x=2", timestamp: String(NOW), method: "GET", nonce: "tampered_with_4567" };
  for (const sentTarget of ["/v1/games?limit=2&x=2", "/v1/games?x=2&limit=1", "/v1/games?limit=1&x=%32", "/v1/games"])
    t.is(await codeOf(rest, { ...query, sentTarget }), "INVALID_SIGNATURE", sentTarget);
});

test("a body with invalid UTF-8 is signed by its bytes, so another broken body needs another signature", async (t) => {
  const rest = await startRest(t);
  const parts = { method: "POST", target: "/v1/game/launch", timestamp: String(NOW), nonce: "broken_bytes_01234" };
  const signature = sign(SECRET, { ...parts, body: Buffer.from([0x22, 0xff, 0x22]) });
  t.is(await codeOf(rest, { ...parts, signature, body: Buffer.from([0x22, 0xfe, 0x22]) }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { ...parts, signature, body: Buffer.from([0x22, 0xff, 0x22]) }), "BAD_REQUEST");
});

test("a target with bytes that are not ASCII is refused as invalid HTTP", async (t) => {
  const rest = await startRest(t);
  t.is(await codeOf(rest, { target: "/v1/games?q=café" }), "BAD_REQUEST");
});

test("a new secret is accepted at once, and the old secret is no longer accepted", async (t) => {
  const rest = await startRest(t);
  await rest.store.save({
    kind: "merchant",
    merchant: merchantRecord("casa-br", { secret: "sk_new", secretVersion: 2 }),
  });
  t.is(await codeOf(rest, { secret: "sk_new" }), "OK");
  t.is(await codeOf(rest, {}), "INVALID_SIGNATURE");
  await rest.store.save({ kind: "merchant", merchant: merchantRecord("brand-new") });
  t.is(await codeOf(rest, { merchant: "brand-new" }), "OK");
});

test("a merchant's IP list may have addresses and ranges, and also matches IPv4 addresses mapped to IPv6", async (t) => {
  const rest = await startRest(t);
  for (const [ipList, code] of [
    [["127.0.0.1"], "OK"],
    [["127.0.0.0/8"], "OK"],
    [["::ffff:127.0.0.1"], "OK"],
    [["::ffff:127.0.0.0/104"], "OK"],
    [["10.0.0.0/8", "::1"], "IP_NOT_ALLOWED"],
    [["not an address"], "IP_NOT_ALLOWED"],
  ] as const) {
    await rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-br", { ipList: [...ipList] }) });
    await rest.settings.readForUnknown();
    t.is(await codeOf(rest, {}), code, ipList.join());
  }
  t.deepEqual(errorOf(await rest.send({})).details, { ip: "127.0.0.1" });
});

test("X-Forwarded-For is used only from configured proxies, and is read from the right", async (t) => {
  const cases: readonly (readonly [
    trusted: readonly string[],
    forwarded: string | readonly string[] | null,
    seen: string,
  ])[] = [
    [[], "203.0.113.9", "127.0.0.1"],
    [["127.0.0.1"], null, "127.0.0.1"],
    [["127.0.0.1"], "203.0.113.9", "203.0.113.9"],
    [["127.0.0.1"], "192.0.2.1, 203.0.113.9", "203.0.113.9"],
    [["127.0.0.1"], ["192.0.2.1", "203.0.113.9"], "203.0.113.9"],
    [["127.0.0.1", "203.0.113.0/24"], "192.0.2.1, 203.0.113.9", "192.0.2.1"],
    [["127.0.0.1"], "::ffff:203.0.113.9", "203.0.113.9"],
    [["127.0.0.1"], "203.0.113.9, junk", "127.0.0.1"],
    [["127.0.0.1"], "203.0.113.9:4711", "203.0.113.9"],
    [["127.0.0.1"], "192.0.2.254:4711, 203.0.113.9:4711", "203.0.113.9"],
    [["127.0.0.1", "10.0.0.0/8"], "203.0.113.9:4711, 10.0.0.6:443", "203.0.113.9"],
    [["127.0.0.1"], "2001:db8::1", "2001:db8::1"],
    [["127.0.0.1"], "[2001:db8::1]", "2001:db8::1"],
    [["127.0.0.1"], "[2001:db8::1]:4711", "2001:db8::1"],
    // A caller can write any address into the header, here 192.0.2.254. The proxy appends the caller's real address.
    [["127.0.0.1"], "192.0.2.254, 203.0.113.9", "203.0.113.9"],
    [["127.0.0.1"], ["192.0.2.254", "192.0.2.254, 203.0.113.9"], "203.0.113.9"],
    [["127.0.0.1"], ["203.0.113.9", ""], "127.0.0.1"],
    [["127.0.0.1"], "192.0.2.254 203.0.113.9", "127.0.0.1"],
    [["127.0.0.1"], "192.0.2.254,", "127.0.0.1"],
    [["127.0.0.1"], "::ffff:203.0.113.9%eth0", "127.0.0.1"],
    [["127.0.0.1"], "[192.0.2.254]", "127.0.0.1"],
    [["127.0.0.1"], "::192.0.2.254", "::192.0.2.254"],
    [["127.0.0.1"], "64:ff9b::192.0.2.254", "64:ff9b::192.0.2.254"],
    [["127.0.0.1"], "192.0.2.0254", "127.0.0.1"],
    [["127.0.0.1"], "3221225982", "127.0.0.1"],
    [["127.0.0.1"], "unknown", "127.0.0.1"],
    [["::ffff:127.0.0.0/104"], "192.0.2.254, 203.0.113.9", "203.0.113.9"],
    [["203.0.113.0/24"], "192.0.2.254", "127.0.0.1"],
  ];
  for (const [trustedProxies, forwarded, seen] of cases) {
    const store = new MemorySettingsStore(new SystemClock());
    await store.save({ kind: "merchant", merchant: merchantRecord("casa-br", { ipList: ["192.0.2.254"] }) });
    const rest = await startRest(t, { trustedProxies, store });
    const reply = await rest.send({
      headers: { "X-Forwarded-For": forwarded, "X-Real-IP": "192.0.2.254", Forwarded: "for=192.0.2.254" },
    });
    t.deepEqual(errorOf(reply).details, { ip: seen }, JSON.stringify([trustedProxies, forwarded]));
  }
});

test("an authenticated request uses its nonce up even if it gets NOT_FOUND; a request with a wrong signature does not", async (t) => {
  const rest = await startRest(t);
  const nonce = "consumed_by_a_404_";
  t.is(await codeOf(rest, { nonce, secret: "wrong" }), "INVALID_SIGNATURE");
  t.is(await codeOf(rest, { nonce, target: "/v1/nowhere" }), "NOT_FOUND");
  t.is(await codeOf(rest, { nonce }), "NONCE_REUSED");
  await rest.store.save({ kind: "merchant", merchant: merchantRecord("other") });
  t.is(await codeOf(rest, { nonce, merchant: "other" }), "OK");
});

test("if the nonce store is unavailable a signed request gets 503, so the check is not skipped", async (t) => {
  class Unreachable extends MemoryNonceStore {
    down = true;
    override async use(lines: Parameters<MemoryNonceStore["use"]>[0]): Promise<boolean[]> {
      if (this.down) throw new Error("connect ECONNREFUSED secret-host:3306");
      return super.use(lines);
    }
  }
  const nonces = new Unreachable(new SystemClock());
  const rest = await startRest(t, { nonces });
  const reply = await rest.send({});
  t.is(reply.status, 503);
  t.is(errorOf(reply).code, "SERVICE_UNAVAILABLE");
  t.false(reply.body.includes("secret-host"));
  t.is(rest.telemetry.errors.length, 1);
  nonces.down = false;
  t.is(await codeOf(rest, {}), "OK");
});

test("a replica that can't confirm its settings answers 503 until it can confirm them", async (t) => {
  class Unreachable extends MemorySettingsStore {
    down = false;
    override async epoch(): Promise<EpochReading> {
      if (this.down) throw new Error("connect ECONNREFUSED");
      return super.epoch();
    }
  }
  const store = new Unreachable(new SystemClock());
  await store.save({ kind: "merchant", merchant: merchantRecord("casa-br") });
  const rest = await startRest(t, { store });
  t.is(await codeOf(rest, {}), "OK");
  store.down = true;
  while (rest.settings.isFresh()) await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(await codeOf(rest, {}), "SERVICE_UNAVAILABLE");
  store.down = false;
  t.is(await codeOf(rest, {}), "OK");
});

test("the reply to a valid request has its data in the envelope", async (t) => {
  const rest = await startRest(t);
  t.is(dataOf(await rest.send({})).code, "casa-br");
});
