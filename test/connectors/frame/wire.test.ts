import { createPublicKey } from "node:crypto";
import test from "ava";
import { RawNumber, readAmount, toInteger, toPlaces, writeJson } from "../../../connectors/frame/decimals.ts";
import { ownReversalId } from "../../../connectors/frame/finisher.ts";
import { FieldFault, Fields, JsonFault, JsonNumber, parseJson } from "../../../connectors/frame/json.ts";
import { aliasOf } from "../../../connectors/frame/launch.ts";
import { readSettings, SettingsError, secret, text } from "../../../connectors/frame/settings.ts";
import { hmac, rsaVerifies, sameText } from "../../../connectors/frame/verify.ts";

test("amounts are exact: what is below the minor unit is cut off and told", (t) => {
  t.deepEqual(readAmount("356000", "BRL", 5), { minor: 356n, rest: "0" });
  t.deepEqual(readAmount("356001", "BRL", 5), { minor: 356n, rest: "0.001" });
  t.deepEqual(readAmount("100500", "CLP", 5), { minor: 1n, rest: "0.005" });
  t.deepEqual(readAmount("1.0013", "BRL"), { minor: 100n, rest: "0.13" });
  t.deepEqual(readAmount("1.15", "BRL"), { minor: 115n, rest: "0" });
  t.deepEqual(readAmount("2.500000", "BRL"), { minor: 250n, rest: "0" });
  t.deepEqual(readAmount("1e2", "BRL"), { minor: 10_000n, rest: "0" });
  t.deepEqual(readAmount("9007199254740993", "BRL", 2), { minor: 9_007_199_254_740_993n, rest: "0" });
  for (const wrong of ["-1", "", "1.", ".5", "1,5", "NaN", " 1", "0x1"])
    t.is(readAmount(wrong, "BRL"), undefined, wrong);
});

test("balances are written exactly, with the wire's number of decimals", (t) => {
  t.is(toInteger(356n, "BRL", 5), 356_000n);
  t.is(toInteger(-5n, "CLP", 5), -500_000n);
  t.is(toPlaces(250n, "BRL", 6), "2.500000");
  t.is(toPlaces(-5n, "BRL", 2), "-0.05");
  t.is(toPlaces(1_500n, "CLP", 6), "1500.000000");
  t.is(toPlaces(1_500n, "CLP", 0), "1500");
  t.is(
    writeJson({ a: new RawNumber("2.500000"), b: 10n, c: undefined, d: ["x", { e: null }] }),
    '{"a":2.500000,"b":10,"d":["x",{"e":null}]}',
  );
});

test("JSON keeps the text of numbers, and refuses a key that comes twice", (t) => {
  const parse = (given: string) => parseJson(Buffer.from(given));
  const fields = new Fields(parse(' {"amount": 1.10, "id": "a\\u0041", "on": true, "none": null, "in": {"x": [1]}} '));
  t.is(fields.number("amount"), "1.10");
  t.is(fields.text("id"), "aA");
  t.deepEqual([fields.isTrue("on"), fields.isTrue("none"), fields.isTrue("amount")], [true, false, false]);
  t.deepEqual([fields.label("id"), fields.label("amount"), fields.label("gone")], ["aA", undefined, undefined]);
  t.false(fields.has("none"));
  t.deepEqual(fields.object("in").list("x"), [new JsonNumber("1")]);
  const wrong = [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    "{}{}",
    "{",
    '{"a"}',
    "[1,]",
    "01",
    "nul",
    '"\n"',
    "",
    "[".repeat(30),
  ];
  for (const given of wrong) t.throws(() => parse(given), { instanceOf: JsonFault }, given);
  t.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), { instanceOf: JsonFault });
  t.like(
    t.throws(() => fields.text("other"), { instanceOf: FieldFault }),
    { kind: "missing", field: "other" },
  );
  t.like(
    t.throws(() => fields.text("amount"), { instanceOf: FieldFault }),
    { kind: "type" },
  );
  t.like(
    t.throws(() => fields.integer("amount"), { instanceOf: FieldFault }),
    { kind: "type" },
  );
  t.is(new Fields(parse('{"__proto__": "x"}')).text("__proto__"), "x");
});

test("signatures of the APIs' worked examples are right, and a changed byte is wrong", (t) => {
  t.true(sameText("secret", "secret"));
  t.false(sameText("secret", "secret2"));
  t.is(
    hmac(
      "sha256",
      "testKey",
      '{"user_id":"p-77","currency":"BRL","game":"acceptance:test","game_id":"r1","finished":true,"actions":[{"action":"bet","amount":250,"action_id":"a1"},{"action":"win","amount":500,"action_id":"a2"}]}',
    ),
    "1d96d98bb6e362bf5f0cb6ee44e46516fdf0cab3638e3ac0e37beba8b59cf654",
  );
  for (const [body = "", signature = ""] of HUB88_VECTORS) {
    t.true(rsaVerifies(Buffer.from(body), signature, HUB88_KEY), body);
    t.false(rsaVerifies(Buffer.from(`${body} `), signature, HUB88_KEY), body);
  }
  for (const wrong of ["", "not base64!", "AAAA", "A".repeat(344)])
    t.false(rsaVerifies(Buffer.from("test"), wrong, HUB88_KEY));
});

test("ids that a connector derives are pure functions, fit, and differ", (t) => {
  t.is(ownReversalId("t1"), "own~t1");
  const long = (end: string) => ownReversalId("x".repeat(94) + end);
  t.is(long("a"), long("a"));
  t.not(long("a"), long("b"));
  t.true(long("a").length <= 95);
  t.is(aliasOf("0123456789abcdef0123456789abcdef"), "0123456789abcdef0123456789abcdef");
  t.regex(aliasOf("a player / with other characters"), /^[0-9a-f]{32}$/);
});

test("wrong settings are told all at once, by the names of their variables and without their values", (t) => {
  const variables = { API_KEY: secret("the key", "abc"), NAME: text("a name", "x", "standard") };
  t.deepEqual(readSettings(variables, { API_KEY: "k" }), { API_KEY: "k", NAME: "standard" });
  const { message } = t.throws(() => readSettings(variables, {}), { instanceOf: SettingsError });
  t.regex(message, /^API_KEY is missing.*API_KEY_FILE/);
  const twice = { API_KEY: "secret-value", API_KEY_FILE: "/nowhere" };
  t.notRegex(t.throws(() => readSettings(variables, twice), { instanceOf: SettingsError }).message, /secret-value/);
});

/** The published example key and signatures of Hub88. */
const HUB88_KEY = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx3IRpSri/9SjA7f9me35
v6LtJzn8drb1vg/UeGaPPFR16KsUOPqbGJ2r1pRPJMedqqbO7Agt/HavWDcQhNZl
c9VrVQcWK/w2HD9PflQYv0oQMiPK5Mut/eIdFOpwwwaRAU4s6WOkJdSmP9F4cfr/
amTZZoY59/t3SZWYjgZ9/LDI2X8S3uLW/JPiH+6dm2bU8ykhxoWwLE/piJxynS73
EzM0tgjHyTUMkarhK9qRVZk581/kzmtJLLBZQl9XrQQcIfQ+zFZj7ijddOptxpxq
Cmq8gQNohB56p34yjVH3uAJAaFvIVg5mEkprrvNVDJwGonHSaaq7AICmzrF6h/r5
dwIDAQAB
-----END PUBLIC KEY-----`);
const HUB88_VECTORS = [
  [
    "test",
    "V3bEXE72v0fbrKNV6bHW945WgsuRvkKcUBA4+C2AiUp+ssrItfk4btBhQfuupBsUXY11JZY+2DSK15NlXeziZbtGQRbgq6v/Ou2tWd652r39nKCfwpxLw1foXaLiSP5ZPudi42M7ANG4XygjaErPiIMHHQaEA6WKqSLIPmJmJJ1u6PkLulpG5CEMO+/6tWRBMMd5vZuHxqc2koaCWI6a3sW+75INSPXbSAEnwVkWPIeUg+EYCdUE7RARSlT/xf5Bp37qtEGZSG7TF7198HDQjAMpC7HBY+tUXsNZwXJJpcRxRh0Pqfz7Q9LG0ikFfdQE+0gCnuLOmx0IMtLIFjVQpA==",
  ],
  [
    '{"test":"test"}',
    "LMYX772LMBO+r83MakogTLoYnUmkR5TTSCMbzbzWPQBgqakoUwjsQnGAbIvA2ZEZXKgbygEW32crr/OzkJbXJp/XSeXPg93IvlOOiaItcPZAIx2MvBh7tY2vtcNMfodlrEvvG5ySDJQWO4LD/Gv7v6dpJJEsVy7AFdT8Azix2MUGcsljIJFWclYsHjJ96OCm5z4RZeA4tp49QCMKb3AL0TZojxxPL/9vSO//o4IcGQCQ02Sw7/p1c8EogCKI9AcMA2fmcog5fy853wMoZJem+qzLtQfBNKLmmKvFE02V7AkRdPn4q7ilCFzkpmN3T5Rhmazv5JHUIvjokR9c0p/4UQ==",
  ],
  [
    '{"game_id":132,"request_uuid":"583c985f-fee6-4c0e-bbf5-308aad6265af","token":"55b7518e-b89e-11e7-81be-58404eea6d16"}',
    "Kd+/B1NealiUiv/9cI/0MQuwnLiAMteKFesys/b8Koe9pVP/H7Hw54W99+q1uMGizaXj+nMIzcwerFSlSkMj94uqXHueGFvDKI4YGKqntlj7EvID1B7P+VlS/A5RN4RjghIMR3MGnsJZT43G8tAju+xJCzjzDmgS25IPVIZobabIpct87ReqxYfkqIlqgH/uKkpU0ezG25mmhMa82Umat1eu88dJDCa1NsbX9SF5gtdC+A8pYS/o87s2RWHG5VVYM8awAwxPnwZacyKIEbXS59BcAI6StUm+/sJWvSKKvR6lxCiJyQOWzG1IwN9NxBthp5AfQx23G5aDMnYDkSUsIw==",
  ],
] as const;
