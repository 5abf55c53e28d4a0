/** The body of a request: its type, its size, its JSON, and the list of its faults. */
import test from "ava";
import type { FieldFault } from "../../../../src/domain/errors.ts";
import { exchange } from "../../../../testbed/callers/raw-http.ts";
import { codeOf, errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";

const LAUNCH = { method: "POST", target: "/v1/game/launch" };

test("a body must be application/json, in UTF-8 if a charset is given, and not encoded", async (t) => {
  const rest = await startRest(t);
  const withType = (type: string | null) => codeOf(rest, { ...LAUNCH, body: "{}", headers: { "Content-Type": type } });
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; charset=utf8",
  ])
    t.is(await withType(type), "VALIDATION_ERROR", type);
  for (const type of [
    null,
    "",
    "text/json",
    "application/json; charset=latin1",
    "application/jsonp",
    "application/x-www-form-urlencoded",
  ])
    t.is(await withType(type), "UNSUPPORTED_MEDIA_TYPE", String(type));
  t.is(await codeOf(rest, { ...LAUNCH, body: "{}", headers: { "Content-Encoding": "identity" } }), "VALIDATION_ERROR");
});

test("a body that is not one JSON text in UTF-8 gets 400; JSON that is not an object gets 422", async (t) => {
  const rest = await startRest(t);
  for (const body of [
    "",
    "{",
    "{}{}",
    "undefined",
    "NaN",
    "\ufeff{}",
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    "'x'",
  ])
    t.is(await codeOf(rest, { ...LAUNCH, body }), "BAD_REQUEST", String(body));
  for (const body of ["[]", "null", '"x"', "1", "true"])
    t.is(await codeOf(rest, { ...LAUNCH, body }), "VALIDATION_ERROR", body);
  t.is(await codeOf(rest, { ...LAUNCH, body: "", headers: { "Content-Type": null } }), "BAD_REQUEST");
});

test("a GET with a body gets 400, whatever the type of the body", async (t) => {
  const rest = await startRest(t);
  for (const type of ["application/json", "text/plain"])
    t.is(await codeOf(rest, { body: "{}", headers: { "Content-Type": type } }), "BAD_REQUEST");
  t.is(await codeOf(rest, { headers: { "Content-Length": "0" } }), "OK");
});

test("a refusal lists at most 50 faults, and the number of the other faults", async (t) => {
  const rest = await startRest(t);
  const many = Array.from({ length: 5_000 }, (_, i) => `x${i}`);
  for (const [parts, found] of [
    [{ target: `/v1/games?${"x&".repeat(7_500)}` }, 7_500],
    [
      {
        ...LAUNCH,
        body: JSON.stringify({ player_id: "ana", game: "x", ...Object.fromEntries(many.map((name) => [name, 1])) }),
      },
      5_000,
    ],
    [{ target: `/v1/games?${many.slice(0, 51).join("&")}` }, 51],
  ] as const) {
    const reply = await rest.send(parts);
    t.is(reply.status, 422);
    const details = errorOf(reply).details as readonly FieldFault[];
    t.is(details.length, 51);
    t.is(details[50]?.rule, `${found - 50} more`);
    t.true(
      details.every((fault) =>
        [fault.field, fault.rule, fault.message].every((text) => typeof text === "string" && text !== ""),
      ),
    );
    t.true(reply.body.length < 8_192, `${reply.body.length} bytes`);
  }
  const fifty = await rest.send({ target: `/v1/games?${many.slice(0, 50).join("&")}` });
  t.deepEqual(
    (errorOf(fifty).details as readonly FieldFault[]).map(({ field }) => field),
    many.slice(0, 50),
  );
});

test("a refusal repeats at most 128 characters of a field's name", async (t) => {
  const rest = await startRest(t);
  for (const parts of [
    { target: `/v1/games?${"x".repeat(10_000)}=1` },
    { target: `/v1/games?%${"x".repeat(10_000)}=1` },
    { ...LAUNCH, body: JSON.stringify({ player_id: "ana", game: "x", ["\u{1F3B0}".repeat(10_000)]: 1 }) },
  ]) {
    const [fault] = errorOf(await rest.send(parts)).details as readonly FieldFault[];
    t.is(fault?.field.length, 131);
    t.true(fault?.field.endsWith("..."));
  }
});

test("if a key occurs twice the last one counts; unknown keys, also __proto__, get 422; all faults are listed together", async (t) => {
  const rest = await startRest(t);
  const faultsOf = async (body: string): Promise<string[]> => {
    const error = errorOf(await rest.send({ ...LAUNCH, body }));
    return error.code === "VALIDATION_ERROR"
      ? (error.details as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`)
      : [error.code];
  };
  t.deepEqual(await faultsOf('{"player_id":1,"game":"x","player_id":"u"}'), ["GAME_NOT_FOUND"]);
  t.deepEqual(await faultsOf('{"player_id":"u","game":"x","__proto__":{"demo":true},"constructor":1,"extra":null}'), [
    "__proto__: unknown",
    "constructor: unknown",
    "extra: unknown",
  ]);
  t.deepEqual(await faultsOf('{"game":"","demo":"yes","currency":5,"lang":"fr","lobby_url":"javascript:x","x":1}'), [
    "x: unknown",
    "player_id: required",
    "game: 1..128 bytes",
    "currency: string",
    "lang: pt, es or en, with or without a region",
    "demo: boolean",
    "lobby_url: http or https URL",
  ]);
  t.is(({} as Record<string, unknown>).demo, undefined);
});

test("a body may have 64 KiB, counted while it is read; a larger body gets 413 before any other check", async (t) => {
  const rest = await startRest(t);
  const body = (size: number) => `{"player_id":"${"x".repeat(size - 16)}"}`;
  t.is(body(65_536).length, 65_536);
  t.is(await codeOf(rest, { ...LAUNCH, body: body(65_536) }), "VALIDATION_ERROR");
  const reply = await rest.send({ ...LAUNCH, body: body(65_537) });
  t.deepEqual([reply.status, errorOf(reply).code], [413, "PAYLOAD_TOO_LARGE"]);
  const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`;
  const chunked = await exchange(
    rest.port,
    `POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
  );
  t.deepEqual([chunked.status, errorOf(chunked).code], [413, "PAYLOAD_TOO_LARGE"]);
});

test("a body that is much too long gets 413, or its connection is closed", async (t) => {
  const rest = await startRest(t);
  const reply = await exchange(
    rest.port,
    `POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n${"x".repeat(3_000_000)}`,
  );
  // The answer is sent. But a caller that continues to send may lose the connection before it reads the answer.
  t.true(reply.status === 413 || Number.isNaN(reply.status));
});
