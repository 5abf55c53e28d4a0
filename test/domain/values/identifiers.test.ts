import test from "ava";
import {
  isGameCode,
  isOwnTxId,
  isPartyCode,
  isPlayerId,
  isProviderCode,
  isRoundId,
  ownTxId,
  type ProviderCode,
  wireTxId,
} from "../../../src/domain/values/identifiers.ts";

/** Texts of a given length in bytes: é has two bytes, 字 three, 🎲 four. */
const LONGEST: Record<string, (bytes: number) => string> = {
  ASCII: (bytes) => "x".repeat(bytes),
  é: (bytes) => "é".repeat(bytes >> 1) + "x".repeat(bytes % 2),
  字: (bytes) => "字".repeat(Math.floor(bytes / 3)) + "x".repeat(bytes % 3),
  "🎲": (bytes) => "🎲".repeat(bytes >> 2) + "x".repeat(bytes % 4),
};

for (const [name, is, max] of [
  ["a provider's own transaction id", isOwnTxId, 95],
  ["a round id", isRoundId, 128],
  ["a game code", isGameCode, 128],
] as const) {
  test(`${name} has 1 to ${max} bytes of UTF-8`, (t) => {
    t.false(is(""));
    t.true(is("x"));
    for (const [letter, of] of Object.entries(LONGEST)) {
      t.true(is(of(max)), letter);
      t.false(is(of(max + 1)), letter);
    }
  });

  test(`${name} has no control characters and no half of a surrogate pair; every other character is allowed`, (t) => {
    for (const code of [0x00, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x80, 0x9f])
      t.false(is(`a${String.fromCharCode(code)}b`), code.toString(16));
    t.false(is("a\ud83c"));
    t.false(is("\udfb2a"));
    for (const text of [" ", "a b", "a:b", "%2F/..", "__proto__", "\u00a0", "'\"\\", "\u202e", "joão"])
      t.true(is(text), text);
  });
}

test("a player's id has 1 to 128 code points, for any number of bytes, and no control characters", (t) => {
  t.true(isPlayerId("🎲".repeat(128)));
  t.false(isPlayerId("🎲".repeat(129)));
  t.false(isPlayerId("x".repeat(129)));
  t.false(isPlayerId(""));
  t.false(isPlayerId("a\u0000"));
  t.true(isPlayerId(" ana "));
});

test("a provider's code has 2 to 32 characters of A-Z 0-9 _, so a wire id's prefix ends at its first colon", (t) => {
  for (const code of ["GP", "A_1", "X".repeat(32)]) t.true(isProviderCode(code), code);
  for (const code of ["G", "X".repeat(33), "acme", "A:B", "A-B", "ÁB", "AB\n", ""]) t.false(isProviderCode(code), code);
});

test("merchant and brand codes have 1 to 64 characters of A-Z a-z 0-9 _ -", (t) => {
  for (const code of ["a", "Casa-Luna_brl", "x".repeat(64)]) t.true(isPartyCode(code), code);
  for (const code of ["", "x".repeat(65), "a.b", "a b", "a\n", "é"]) t.false(isPartyCode(code), code);
});

test("the longest wire id has 128 bytes, and the provider's own id is read back from it, even with colons", (t) => {
  const longest = wireTxId("X".repeat(32) as ProviderCode, `${"字".repeat(31)}xx`);
  t.is(Buffer.byteLength(longest), 128);
  for (const own of ["1", "B:1", ":", "字"]) t.is(ownTxId(wireTxId("ACME" as ProviderCode, own)), own);
});
