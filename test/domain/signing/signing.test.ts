import test from "ava";
import fc from "fast-check";
import {
  isFresh,
  isNonce,
  isTimestamp,
  sign,
  TIMESTAMP_TOLERANCE_MS,
  verify,
} from "../../../src/domain/signing/signing.ts";
import { cases, secret } from "./vectors.ts";

test("there are 27 test vectors of requests and 3 of callbacks", (t) => {
  t.is(cases.filter((vector) => vector.direction === "request").length, 27);
  t.is(cases.filter((vector) => vector.direction === "callback").length, 3);
});

for (const vector of cases) {
  test(`the test vector "${vector.name}" is ${vector.valid ? "accepted" : `refused (${vector.reason})`}`, (t) => {
    const wellFormed = isTimestamp(vector.timestamp) && isNonce(vector.nonce);
    t.is(wellFormed && verify(secret, vector, vector.signature), vector.valid);
    if (vector.valid) t.is(sign(secret, vector), vector.signature);
    t.is(isTimestamp(vector.timestamp), vector.reason !== "invalid_timestamp");
    t.is(isNonce(vector.nonce), vector.reason !== "invalid_nonce");
  });
}

const signable = fc.record({
  timestamp: fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }).map(String),
  nonce: fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
  method: fc.constantFrom("GET", "POST"),
  target: fc.webPath().map((path) => `/v1${path}`),
  body: fc.uint8Array({ maxLength: 200 }),
});
const key = fc.string({ minLength: 1 });

test("verify accepts the result of sign, which has 64 lowercase hex digits", (t) => {
  fc.assert(
    fc.property(key, signable, (text, parts) => {
      const signature = sign(text, parts);
      t.regex(signature, /^[0-9a-f]{64}$/);
      t.true(verify(text, parts, signature));
    }),
  );
});

test("a change of any byte of the body makes the signature wrong", (t) => {
  fc.assert(
    fc.property(key, signable, fc.nat(), fc.integer({ min: 1, max: 255 }), (text, parts, at, flip) => {
      fc.pre(parts.body.length > 0);
      const body = Uint8Array.from(parts.body);
      body[at % body.length] = (body[at % body.length] ?? 0) ^ flip;
      t.false(verify(text, { ...parts, body }, sign(text, parts)));
    }),
  );
});

test("a change of any signed field or of the secret makes the signature wrong", (t) => {
  fc.assert(
    fc.property(key, signable, signable, (text, parts, other) => {
      const signature = sign(text, parts);
      for (const field of ["timestamp", "nonce", "method", "target"] as const) {
        t.is(verify(text, { ...parts, [field]: other[field] }, signature), parts[field] === other[field]);
      }
      t.false(verify(`${text}x`, parts, signature));
    }),
  );
});

test("a signature is accepted only if it is complete and in lower case", (t) => {
  fc.assert(
    fc.property(key, signable, fc.nat({ max: 63 }), (text, parts, length) => {
      const signature = sign(text, parts);
      t.false(verify(text, parts, signature.slice(0, length)));
      t.false(verify(text, parts, `${signature}0`));
      t.false(verify(text, parts, ` ${signature}`));
      t.false(verify(text, parts, `${signature}\n`));
      if (/[a-f]/.test(signature)) t.false(verify(text, parts, signature.toUpperCase()));
    }),
  );
});

test("a nearly right signature takes about as long as any other wrong one: the slowest kind takes less than twice the fastest", (t) => {
  const parts = {
    timestamp: "1767225600000",
    nonce: "00112233445566778899aabbccddeeff",
    method: "GET",
    target: "/v1/games",
    body: "",
  };
  const right = sign(secret, parts);
  const kinds = {
    nearly: `${right.slice(0, 63)}${right.endsWith("0") ? "1" : "0"}`,
    far: "f".repeat(64),
    short: right.slice(0, 10),
    none: "",
    odd: "é".repeat(64),
  };
  const samples = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  // The kinds are measured alternately, so that other load of the machine affects all of them equally.
  for (let i = 0; i < 2_000; i++) {
    for (const [kind, signature] of Object.entries(kinds)) {
      const began = process.hrtime.bigint();
      for (let j = 0; j < 5; j++) verify(secret, parts, signature);
      samples.get(kind)?.push(Number(process.hrtime.bigint() - began));
    }
  }
  const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
  const medians = [...samples.values()].map(median);
  // The bound is wide on purpose. Computing the hash is most of the work, so the test would still notice a check that
  // ends before it.
  t.true(
    Math.max(...medians) < 2 * Math.min(...medians),
    JSON.stringify([...samples.keys()].map((kind, i) => [kind, medians[i]])),
  );
});

test("verify returns false for any text that is not the signature, and never throws an error", (t) => {
  const parts = {
    timestamp: "1767225600000",
    nonce: "00112233445566778899aabbccddeeff",
    method: "GET",
    target: "/v1/games",
    body: "",
  };
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (signature) =>
      t.false(verify(secret, parts, signature)),
    ),
  );
});

test("a signed text can be split into well-formed fields in only one way", (t) => {
  fc.assert(
    fc.property(key, signable, fc.nat(), (text, parts, at) => {
      // Moves the border between nonce and method: a part of the method becomes a part of the nonce, or the other way
      // round.
      const signedText = `${parts.nonce}.${parts.method}`;
      const cut = at % signedText.length;
      const moved = { ...parts, nonce: signedText.slice(0, cut), method: signedText.slice(cut + 1) };
      fc.pre(cut !== parts.nonce.length);
      t.false(isNonce(moved.nonce) && verify(text, moved, sign(text, parts)));
    }),
  );
});

test("a timestamp has thirteen digits and is valid for exactly five minutes in both directions", (t) => {
  const now = 1_767_225_600_000;
  t.true(isFresh(now - TIMESTAMP_TOLERANCE_MS, now));
  t.true(isFresh(now + TIMESTAMP_TOLERANCE_MS, now));
  t.false(isFresh(now - TIMESTAMP_TOLERANCE_MS - 1, now));
  t.false(isFresh(now + TIMESTAMP_TOLERANCE_MS + 1, now));
  for (const text of ["", "1767225600", "17672256000000", "1767225600000 ", "+176722560000", "١٧٦٧٢٢٥٦٠٠٠٠٠"])
    t.false(isTimestamp(text));
});

test("a nonce has 16 to 64 characters and no dot", (t) => {
  for (const text of ["a".repeat(16), "a".repeat(64), "abcDEF-_01234567"]) t.true(isNonce(text));
  for (const text of [
    "a".repeat(15),
    "a".repeat(65),
    "0011223344556677.8899aabbccddeeff",
    `${"a".repeat(16)}\n`,
    "ã".repeat(16),
  ])
    t.false(isNonce(text));
});
