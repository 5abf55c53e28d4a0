import test from "ava";
import fc from "fast-check";
import { spellings } from "../../../src/domain/catalog/json-spellings.ts";
import { signatureFault, type WrongSignature } from "../../../src/domain/signing/signature-fault.ts";
import { type Signable, sign } from "../../../src/domain/signing/signing.ts";

const SECRET = "sk_now";
const BODY = '{"player_id":"joão/1","game":"a<b","list":[1,2.5,{}],"demo":true}';
const POST: Signable = {
  timestamp: "1767225600000",
  nonce: "0011223344556677",
  method: "POST",
  target: "/v1/game/launch",
  body: BODY,
};
const GET: Signable = { ...POST, method: "GET", target: "/v1/games?type=slot&q=%C3%A9", body: "" };

/** The fault that is found in a request with the content `sent` and a signature over `signed`. */
const faultOf = (sent: Signable, signed: Partial<Signable>, more: Partial<WrongSignature> = {}) =>
  signatureFault({
    parts: sent,
    signature: sign(SECRET, { ...sent, ...signed }),
    secrets: { current: SECRET, next: null },
    previousSecret: "sk_before",
    pathPrefix: "",
    ...more,
  });

test("signatureFault recognises each known mistake of a signature", (t) => {
  t.is(faultOf(GET, {}, { secrets: undefined }), "unknown_merchant");
  t.is(faultOf(GET, {}, { signature: sign(SECRET, GET).toUpperCase() }), "uppercase_hex");
  t.is(faultOf(GET, { target: "/v1/games" }), "query_not_signed");
  t.is(faultOf(GET, { target: "/games?type=slot&q=%C3%A9" }), "path_prefix");
  t.is(faultOf(GET, { target: `/api${GET.target}` }, { pathPrefix: "/api" }), "path_prefix");
  t.is(faultOf(GET, { target: `/api${GET.target}` }), "mismatch", "no known path prefix");
  t.is(faultOf(POST, { body: JSON.stringify(JSON.parse(BODY), null, 2) }), "body_reserialized");
  t.is(faultOf(POST, {}, { signature: sign("sk_before", POST) }), "old_secret");
});

test("during the overlap of two secrets, signatureFault finds a mistake with either secret", (t) => {
  const secrets = { current: SECRET, next: "sk_next" };
  for (const secret of [SECRET, "sk_next"]) {
    const { target } = GET;
    const signed = (other: Partial<Signable>) => sign(secret, { ...GET, ...other });
    t.is(faultOf(GET, {}, { secrets, signature: signed({}).toUpperCase() }), "uppercase_hex");
    t.is(
      faultOf(GET, {}, { secrets, signature: signed({ target: `/api${target}` }), pathPrefix: "/api" }),
      "path_prefix",
    );
  }
});

test("signatureFault returns mismatch for any other difference: other fields, two mistakes at once, a random text", (t) => {
  for (const signed of [
    { method: "post" },
    { timestamp: "1767225600001" },
    { nonce: "x" },
    { body: "" },
    { body: "{}" },
    { target: "https://api.example/v1/game/launch" },
  ])
    t.is(faultOf(POST, signed), "mismatch", JSON.stringify(signed));
  t.is(faultOf(GET, { target: "/games" }), "mismatch");
  t.is(faultOf(GET, {}, { signature: sign("sk_before", GET), previousSecret: null }), "mismatch");
  for (const signature of ["", "0".repeat(64), "é", "F".repeat(64)]) t.is(faultOf(POST, {}, { signature }), "mismatch");
});

test("signatureFault recognises that a common JSON library wrote the signed body again", (t) => {
  const sent = '{"name": "João/Zoë <b> & c", "id": 7, "items": [], "more": {"z": null, "a": "\\u2028"}}';
  const written: Readonly<Record<string, string>> = {
    "JSON.stringify": '{"name":"João/Zoë <b> & c","id":7,"items":[],"more":{"z":null,"a":"\u2028"}}',
    "JSON.stringify with two spaces": JSON.stringify(JSON.parse(sent), null, 2),
    "json.dumps": '{"name": "Jo\\u00e3o/Zo\\u00eb <b> & c", "id": 7, "items": [], "more": {"z": null, "a": "\\u2028"}}',
    "json.dumps with sort_keys and indent": `{\n    "id": 7,\n    "items": [],\n    "more": {\n        "a": "\\u2028",\n        "z": null\n    },\n    "name": "Jo\\u00e3o/Zo\\u00eb <b> & c"\n}`,
    json_encode: '{"name":"Jo\\u00e3o\\/Zo\\u00eb <b> & c","id":7,"items":[],"more":{"z":null,"a":"\\u2028"}}',
    "json_encode without unicode escapes":
      '{"name":"João\\/Zoë <b> & c","id":7,"items":[],"more":{"z":null,"a":"\u2028"}}',
    "json.Marshal": '{"id":7,"items":[],"more":{"a":"\\u2028","z":null},"name":"João/Zoë \\u003cb\\u003e \\u0026 c"}',
    "with a line end": `${sent}\n`,
    "with a Windows line end": `${sent}\r\n`,
  };
  for (const [how, body] of Object.entries(written))
    t.is(faultOf({ ...POST, body: sent }, { body }), "body_reserialized", how);
  t.is(faultOf({ ...POST, body: `${sent}\n` }, { body: sent }), "body_reserialized", "the line end was not signed");
  t.is(
    faultOf({ ...POST, body: Buffer.from(sent) }, { body: written.json_encode ?? "" }),
    "body_reserialized",
    "bytes",
  );
  t.is(faultOf({ ...POST, body: "not json" }, { body: "not json\n" }), "body_reserialized");
});

test("spellings returns other texts of the same JSON value, and never the text itself", (t) => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const all = spellings(text);
      t.false(all.includes(text));
      for (const spelling of all) t.deepEqual(JSON.parse(spelling), JSON.parse(text));
    }),
    { numRuns: 50 },
  );
  fc.assert(
    fc.property(
      fc.string(),
      fc.uint8Array({ maxLength: 300 }),
      (text, body) => void [spellings(text), faultOf({ ...POST, body }, { body: text })],
    ),
  );
  t.is(faultOf({ ...POST, body: "[".repeat(4_000) }, { body: "" }), "mismatch");
  t.is(faultOf({ ...POST, body: `${"[".repeat(2_000)}${"]".repeat(2_000)}` }, { body: "" }), "mismatch");
  t.is(
    faultOf({ ...POST, body: `[${"1, ".repeat(20_000)}1]` }, { body: `[${"1,".repeat(20_000)}1]` }),
    "mismatch",
    "too long to try",
  );
});
