import test from "ava";
import fc from "fast-check";
import type { AttemptResult } from "../../../contract/wallet/results.ts";
import { errorCode, readReply } from "../../../src/adapters/wallet-http/reply.ts";
import type { Currency } from "../../../src/domain/values/money.ts";

const read = (body: string | Buffer, status = 200, currency: Currency = "BRL") =>
  readReply(status, Buffer.from(body as string), currency);
const accepted = (balanceMinor: bigint | null) => ({ kind: "accepted", balanceMinor }) as const;
const SILENT = { kind: "silent" } as const;

const silentBodies: readonly (readonly [AttemptResult, string, string | Buffer])[] = [
  ["not_json", "a web page", "<!doctype html><h1>OK</h1>"],
  ["not_json", "nothing", ""],
  ["not_json", "cut JSON", '{"ok":true,"balance":1'],
  ["not_json", "JSON and more", '{"ok":true,"balance":1}{"ok":true,"balance":1}'],
  ["not_json", "UTF-16", Buffer.from('{"ok":true,"balance":1}', "utf16le")],
  ["not_json", "two BOMs", '\ufeff\ufeff{"ok":true,"balance":1}'],
  ["not_json", "NaN", '{"ok":true,"balance":NaN}'],
  ["no_ok", "an array", "[]"],
  ["no_ok", "null", "null"],
  ["no_ok", "a string", '"ok"'],
  ["no_ok", "a number", "1"],
  ["no_ok", "true", "true"],
  ["no_ok", "an object without ok", '{"balance":1}'],
  ["no_ok", "ok that is a string", '{"ok":"true","balance":1}'],
  ["no_ok", "ok that is a number", '{"ok":1,"balance":1}'],
  ["no_ok", "ok that is null", '{"ok":null,"balance":1}'],
  ["no_ok", "ok that is only in __proto__", '{"__proto__":{"ok":true,"balance":1}}'],
  ["no_ok", "OK in another case", '{"OK":true,"balance":1}'],
  ["no_balance", "a success without balance", '{"ok":true}'],
  ["no_balance", "a balance that is a string", '{"ok":true,"balance":"100"}'],
  ["no_balance", "a balance that is null", '{"ok":true,"balance":null}'],
  ["no_balance", "a balance that JSON.parse reads as Infinity", '{"ok":true,"balance":1e400}'],
  ["no_balance", "a balance that JSON.parse reads as -Infinity", '{"ok":true,"balance":-1e400}'],
  ["no_balance", "a balance that is only in __proto__", '{"ok":true,"__proto__":{"balance":1}}'],
];

for (const [result, what, body] of silentBodies) {
  test(`readReply returns silent (${result}) for ${what}`, (t) => {
    for (const status of [200, 201, 204, 302, 400, 401, 404, 499])
      t.deepEqual(read(body, status), { answer: SILENT, result }, String(status));
  });
}

test("readReply ignores the body if the status is 500 or above", (t) => {
  for (const status of [500, 501, 502, 503, 504, 599, 600, 999]) {
    for (const body of ['{"ok":true,"balance":1}', '{"ok":false,"error":"INSUFFICIENT_FUNDS"}', "", "<html>"]) {
      t.deepEqual(read(body, status), { answer: SILENT, result: "http_5xx" });
    }
  }
});

test("readReply reads the body if the status is below 500", (t) => {
  for (const status of [200, 201, 301, 302, 307, 308, 400, 401, 403, 404, 409, 422, 429, 499]) {
    t.deepEqual(read('{"ok":false,"error":"x"}', status), {
      answer: { kind: "rejected", error: "X" },
      result: "rejected",
    });
    t.deepEqual(read('{"ok":true,"balance":12.5}', status), { answer: accepted(1_250n), result: "accepted" });
  }
});

const balances: readonly (readonly [string, Currency, bigint | null, boolean])[] = [
  ["100", "BRL", 10_000n, true],
  ["97.5", "BRL", 9_750n, true],
  ["1.15", "BRL", 115n, true],
  ["0.1", "BRL", 10n, true],
  ["0", "BRL", 0n, true],
  ["-0", "BRL", 0n, true],
  ["-5", "BRL", -500n, true],
  ["1500", "CLP", 1_500n, true],
  ["1500.0", "CLP", 1_500n, true],
  ["1e2", "BRL", 10_000n, true],
  ["9999999999999.99", "BRL", 999_999_999_999_999n, true],
  ["10.129", "BRL", 1_012n, false],
  ["-10.129", "BRL", -1_012n, false],
  ["0.30000000000000004", "BRL", 30n, false],
  ["1e-7", "BRL", 0n, false],
  ["1500.5", "CLP", 1_500n, false],
  ["10000000000000", "BRL", null, false],
  ["1e300", "BRL", null, false],
  ["-1e300", "BRL", null, false],
];

for (const [literal, currency, minor, exact] of balances) {
  test(`readReply reads a balance of ${literal} ${currency} as ${minor} minor units${exact ? "" : ", and reports that it isn't exact"}`, (t) => {
    const reading = read(`{"ok":true,"balance":${literal}}`, 200, currency);
    t.deepEqual(reading.answer, accepted(minor));
    t.is(reading.result, "accepted");
    t.is(reading.result === "accepted" ? reading.inexact : null, exact ? undefined : Number(literal));
  });
}

test("readReply accepts a BOM, repeated keys (the last counts), nesting, __proto__, and broken UTF-8 beside the three fields", (t) => {
  t.deepEqual(read('\ufeff{"ok":true,"balance":1}').answer, accepted(100n));
  t.deepEqual(read(' \r\n\t{"ok":true,"balance":1}\n').answer, accepted(100n));
  t.deepEqual(read('{"ok":false,"ok":true,"balance":1,"balance":2}').answer, accepted(200n));
  t.deepEqual(read('{"ok":true,"ok":false,"balance":1,"error":"A","error":"B"}').answer, {
    kind: "rejected",
    error: "B",
    balanceMinor: 100n,
  });
  t.deepEqual(read(`{"x":${"[".repeat(30_000)}${"]".repeat(30_000)},"ok":true,"balance":1}`).answer, accepted(100n));
  t.deepEqual(read('{"__proto__":{"ok":false},"constructor":null,"ok":true,"balance":1}').answer, accepted(100n));
  t.deepEqual(read(Buffer.from('{"note":"\xe3\xff","ok":true,"balance":1}', "latin1")).answer, accepted(100n));
  t.is(({} as Record<string, unknown>).ok, undefined);
});

test("errorCode returns upper case without control characters, and UNKNOWN if there is no code", (t) => {
  t.is(errorCode("insufficient_funds"), "INSUFFICIENT_FUNDS");
  t.is(errorCode("a\r\n\u0000\u0085b"), "AB");
  t.is(errorCode("straße"), "STRASSE");
  for (const nothing of [undefined, null, "", "\n\t", 7, {}, ["X"], true]) t.is(errorCode(nothing), "UNKNOWN");
});

test("errorCode returns at most 64 code points and 255 bytes, and never splits a character", (t) => {
  t.is(errorCode("x".repeat(65)), "X".repeat(64));
  t.is(errorCode(`${"\u0007".repeat(1_000)}x`), "X");
  t.is(errorCode("😀".repeat(64)), "😀".repeat(63));
  t.is(errorCode(`a${"😀".repeat(64)}`), `A${"😀".repeat(63)}`);
  t.is(errorCode("ß".repeat(64)), "S".repeat(64));
  t.is(errorCode("\ud800x"), "\ufffdX");
});

test("errorCode stays within its bounds, and a second call does not change its result", (t) => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ unit: "grapheme", maxLength: 100 }));
  fc.assert(
    fc.property(text, (error) => {
      const code = errorCode(error);
      t.true(code.length > 0 && [...code].length <= 64 && Buffer.byteLength(code) <= 255);
      t.false(/\p{Cc}|\p{Surrogate}/u.test(code));
      t.is(errorCode(code), code);
    }),
    { numRuns: 2_000 },
  );
});

test("readReply never throws, and accepts only JSON with ok true and a finite balance", (t) => {
  const json = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          ok: fc.oneof(fc.boolean(), fc.jsonValue()),
          balance: fc.oneof(fc.double(), fc.jsonValue()),
          error: fc.oneof(fc.string(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((v) => JSON.stringify(v)),
  );
  const body = fc.oneof(
    json.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(
      body,
      fc.integer({ min: 200, max: 599 }),
      fc.constantFrom<Currency>("BRL", "CLP"),
      (bytes, status, currency) => {
        const { answer, result } = readReply(status, bytes, currency);
        t.is(answer.kind === "silent", result !== "accepted" && result !== "rejected");
        if (answer.kind === "silent") return;
        const parsed = JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, "")) as { ok: unknown; balance: unknown };
        t.true(status < 500);
        t.is(parsed.ok, answer.kind === "accepted");
        if (answer.kind === "accepted") t.true(Number.isFinite(parsed.balance));
      },
    ),
    { numRuns: 5_000 },
  );
});

test("readReply reads the balance of a rejection, and counts an unusable one as none", (t) => {
  const rejected = (balance: string) => read(`{"ok":false,"error":"INSUFFICIENT_FUNDS"${balance}}`).answer;
  const none = { kind: "rejected", error: "INSUFFICIENT_FUNDS" } as const;
  t.deepEqual(rejected(',"balance":1.159'), { ...none, balanceMinor: 115n });
  t.deepEqual(rejected(',"balance":-3'), { ...none, balanceMinor: -300n });
  t.deepEqual(rejected(',"balance":0'), { ...none, balanceMinor: 0n });
  for (const balance of ["", "null", '"1"', "1e400", "1e15", "{}", "true"])
    t.deepEqual(rejected(balance === "" ? "" : `,"balance":${balance}`), none, balance);
});
