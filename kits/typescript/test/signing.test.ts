import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { sign, signedHeaders, verify } from "../src/index.ts";

interface Vector {
  readonly name: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly signature: string;
  readonly valid: boolean;
}

const file = new URL("../../../test/domain/signing/vectors.json", import.meta.url);
const { secret, cases } = JSON.parse(readFileSync(file, "utf8")) as { secret: string; cases: readonly Vector[] };
const headersOf = ({ timestamp, nonce, signature }: Vector) => ({
  "X-Timestamp": timestamp,
  "X-Nonce": nonce,
  "X-Signature": signature,
});

test("there are vectors, wrong ones among them", () => {
  assert.equal(cases.length, 30);
  assert.equal(cases.filter(({ valid }) => !valid).length, 13);
});

for (const vector of cases) {
  test(`vector: ${vector.name}`, () => {
    const now = Number(vector.timestamp);
    assert.equal(verify([secret], headersOf(vector), vector, now), vector.valid);
    if (vector.valid) assert.equal(sign(secret, vector.timestamp, vector.nonce, vector), vector.signature);
  });
}

const request = { method: "POST", target: "/wallet?b=1", body: Buffer.from("{}") };
const now = 1_767_225_600_000;
const signedAt = (timestampMs: number, by = "sk_a") =>
  signedHeaders("shop", by, request, { timestamp: String(timestampMs) });

test("a timestamp is accepted up to five minutes off, in both directions", () => {
  for (const off of [-300_000, 0, 300_000]) assert.ok(verify(["sk_a"], signedAt(now + off), request, now), String(off));
  for (const off of [-300_001, 300_001]) assert.ok(!verify(["sk_a"], signedAt(now + off), request, now), String(off));
});

test("a callback is genuine when either signature fits either secret", () => {
  const byOld = signedAt(now, "sk_old");
  const next = sign("sk_new", byOld["X-Timestamp"], byOld["X-Nonce"], request);
  const both = { ...byOld, "X-Signature-Next": next };
  assert.ok(verify(["sk_old"], both, request, now));
  assert.ok(verify(["sk_new"], both, request, now));
  assert.ok(verify(["sk_old", "sk_new"], byOld, request, now));
  assert.ok(!verify(["sk_new"], byOld, request, now));
  assert.ok(!verify(["sk_other"], both, request, now));
  assert.ok(!verify([], both, request, now));
});

test("an empty secret proves nothing", () => {
  const byEmpty = signedAt(now, "");
  assert.ok(!verify([""], byEmpty, request, now));
  assert.ok(!verify(["sk_a", ""], byEmpty, request, now));
  assert.ok(verify(["", "sk_a"], signedAt(now), request, now));
});

test("absent, repeated and malformed headers are refused", () => {
  const good = signedAt(now);
  assert.ok(verify(["sk_a"], good, request, now));
  for (const name of ["X-Timestamp", "X-Nonce", "X-Signature"]) {
    assert.ok(!verify(["sk_a"], { ...good, [name]: undefined }, request, now), `${name} is absent`);
    const value = good[name as "X-Nonce"];
    assert.ok(!verify(["sk_a"], { ...good, [name]: [value, value] }, request, now), `${name} is repeated`);
    assert.ok(!verify(["sk_a"], { ...good, [name]: `${value}\n` }, request, now), `${name} has a line end`);
  }
});
