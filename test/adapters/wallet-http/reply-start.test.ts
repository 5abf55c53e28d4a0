import test from "ava";
import { replyStart } from "../../../src/adapters/wallet-http/reply-start.ts";
import { reply } from "./raw-server.ts";
import { bet, makeWallet, OK, SECRET, serve, target } from "./wallet-fixture.ts";

const startOf = (text: string | Buffer, nextSecret: string | null = null): string | undefined =>
  replyStart(Buffer.from(text as string), { secret: SECRET, nextSecret });

test("the page of a wrong path is logged unchanged", (t) => {
  const page =
    "<!DOCTYPE html><html><title>404 Not Found</title><body>Cannot POST /api/v1/wallets/callback2/brl</body>";
  t.is(startOf(page), page);
  t.is(startOf(""), undefined);
});

test("both secrets are masked while the secret is being changed", (t) => {
  t.is(startOf(`tried ${SECRET}, then short-next`, "short-next"), "tried ***, then ***");
});

test("at most 200 bytes are kept, and no character is split", (t) => {
  t.is(startOf("a ".repeat(300)), "a ".repeat(100));
  t.is(startOf(`${"a ".repeat(99)}ab😀`), `${"a ".repeat(99)}ab`);
  t.is(startOf(`${"a ".repeat(98)}😀b`), `${"a ".repeat(98)}😀`);
  for (let bytes = 190; bytes < 205; bytes++) {
    const kept = startOf(`${"a ".repeat(93)}${"ãé😀".repeat(40)}`.slice(0, bytes)) ?? "";
    t.true(Buffer.byteLength(kept) <= 200 && !kept.includes("\ufffd"), kept);
  }
});

test("control characters are escaped, and an escape is never cut", (t) => {
  t.is(startOf("a\r\n\tb\u0000\u001b[31m\u202e\u2028\u009b"), "a\\r\\n\\tb\\u{0}\\u{1b}[31m\\u{202e}\\u{2028}\\u{9b}");
  t.is(startOf("\u0001".repeat(300)), "\\u{1}".repeat(40));
  t.is(startOf(Buffer.from([0x7b, 0xff, 0x00])), "{\ufffd\\u{0}");
});

const HEX = "7a649abe425c1ef0f0e9f62c1aac1dec495aa3a42b0acb567295230aee7cb56e";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1LTEifQ.c2lnbmF0dXJl";

/** Bodies with text that must not be stored, each with the stored text. */
const masks: readonly (readonly [body: string, kept: string])[] = [
  [`wrong secret: expected ${SECRET}!`, "wrong secret: *** ***!"],
  [`<p>${SECRET}</p>`, "<p>***</p>"],
  ["key sk_9ab-_Z of the merchant", "key *** of the merchant"],
  [`X-Signature: ${HEX}\nX-Nonce: 00112233445566778899aabbccddeeff`, "X-Signature: ***\\nX-Nonce: ***"],
  [`expected ${HEX}, got ${HEX.toUpperCase()}`, "expected ***, got ***"],
  [
    '{"access_token":"abc","password": "p w","player_id":"u-1"}',
    '{"access_token":***,"password": ***,"player_id":"u-1"}',
  ],
  ['{\\"token\\":\\"abc\\",\\"a\\":1}', '{\\"token\\":\\***,\\"a\\":1}'],
  ["/wallet?a=1&token=abc&b=2", "/wallet?a=1&token=***&b=2"],
  ["'api_key' => 'abc', 'a' => 'b'", "'api_key' => ***, 'a' => 'b'"],
  ["Authorization: Bearer abc.def\nHost: x", "Authorization: ***\\nHost: x"],
  ["got Bearer abc.def here", "got Bearer *** here"],
  ["Set-Cookie: sid=abc; Path=/", "Set-Cookie: ***; Path=/"],
  [`jwt ${JWT} expired`, "jwt *** expired"],
  ["base64 MTIzNDU2Nzg5MDEyMzQ1Njc4OTA+/x= here", "base64 *** here"],
  ["POST /hooks/3f9a8b7c6d5e4f3a2b1c0d/wallet", "POST /hooks/***/wallet"],
];

for (const [body, kept] of masks) {
  test(`the body ${JSON.stringify(body)} is logged as ${JSON.stringify(kept)}`, (t) => t.is(startOf(body), kept));
}

test("a secret is masked at any position, also across the cut and at the end of the part that is read", (t) => {
  for (let at = 150; at < 260; at++) t.notRegex(startOf(`${" ".repeat(at)}${SECRET}`) ?? "", /whsec|example|secret/);
  // A mask is shorter than its secret, so text from the end of the read part may move into the stored text.
  const long = `${`${"a1".repeat(500)} `.repeat(4)}`;
  for (let at = 4_050; at < 4_120; at++) {
    const kept =
      startOf(
        `${long
          .slice(0, at - 1)
          .trimEnd()
          .padEnd(at - 1, "b2")} ${SECRET} tail`,
      ) ?? "";
    t.notRegex(kept, /whsec|example|secret/, `at ${at}: ${kept}`);
  }
});

test("51 bodies of 64 KiB and more are processed within half a second of CPU time", (t) => {
  const bodies = ["a", "token", "token:", "sk_", "eyJ.", "secret ", '"', "A1/", "bearer ", "=", "'token'=>"];
  const before = process.threadCpuUsage();
  for (const unit of bodies) startOf(unit.repeat(65_536 / unit.length));
  // The body has a long run of letters before the end of the read part.
  for (let i = 0; i < 40; i++) startOf(`${"a".repeat(4_000)}<${" ".repeat(65_536)}`);
  const { user, system } = process.threadCpuUsage(before);
  t.true(user + system < 500_000, `${user + system} µs`);
});

/** A wallet's bytes, and the stored beginning of the reply. `close` cuts the connection after the bytes. */
const replies: readonly (readonly [string, Buffer, "stay" | "close", string | undefined])[] = [
  ["a page under 404", reply(404, "<h1>Not Found</h1>"), "stay", "<h1>Not Found</h1>"],
  ["a 500 whose body is a success", reply(500, '{"ok":true,"balance":1}'), "stay", '{"ok":true,"balance":1}'],
  ["JSON without ok", reply(200, `{"error":"bad key ${SECRET}"}`), "stay", '{"error":"bad key ***"}'],
  ["half of a body", reply(200, '{"ok":true,"balance":1}').subarray(0, -5), "close", '{"ok":true,"balanc'],
  ["a body over 64 KiB", reply(200, "x ".repeat(40_000)), "stay", "x ".repeat(100)],
  ["an empty 503", reply(503, ""), "stay", undefined],
  [
    "a reply with two codings",
    reply(200, "\x1f", "content-encoding: identity, GZip\r\nContent-Encoding: br\r\n"),
    "stay",
    "Content-Encoding: gzip, br: \\u{1f}",
  ],
  ["a coding that is not a name", reply(404, "x", "content-encoding: <b>\r\n"), "stay", "Content-Encoding: b: x"],
  ["the coding identity", reply(404, "x", "content-encoding: Identity,\r\n"), "stay", "x"],
  [
    "a coded JSON that can be read",
    reply(200, '{"ok":true,"balance":1}', "content-encoding: br\r\n"),
    "stay",
    undefined,
  ],
  ["an accepted bet", OK, "stay", undefined],
  ["a rejection under 404", reply(404, '{"ok":false,"error":"NO_PLAYER"}'), "stay", undefined],
];

for (const [what, bytes, then, kept] of replies) {
  test(`after ${what} the result of the call ${kept === undefined ? "has no part of the reply" : "has the beginning of the reply"}`, async (t) => {
    const server = await serve(t, (socket) => (then === "close" ? socket.end(bytes) : socket.write(bytes)));
    const ended = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
    t.is(ended.replyStart, kept);
  });
}
