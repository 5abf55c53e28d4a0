import { randomBytes, randomUUID } from "node:crypto";
import test from "ava";
import { guessingBits } from "../../../src/domain/access/guessing.ts";

test("words, names, years, sequences and repetitions count little, also when they are disguised", (t) => {
  for (const text of [
    "password12345678",
    "P@ssw0rd!P@ssw0rd!",
    "Summer2024!Casino$Admin",
    "senha-forte-123456",
    "contrasena2026segura",
    "1234567890123456",
    "qwertyuiopasdfghjkl",
    "abcdefghijklmnopqrst",
    "zyxwvutsrqponmlk",
    "adminadminadminadmin",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ab".repeat(30),
    "Flamengo-Corinthians-1995",
    "letmein!letmein?",
    "",
  ])
    t.true(guessingBits(text) < 50, `${text}: ${guessingBits(text)}`);
});

test("random keys of the usual forms count as hard to guess", (t) => {
  for (let i = 0; i < 300; i++) {
    t.true(guessingBits(randomBytes(32).toString("base64")) > 130);
    for (const key of [randomUUID(), randomBytes(16).toString("hex"), randomBytes(24).toString("base64url")])
      t.true(guessingBits(key) > 70, key);
  }
  for (const key of ["jq0fY2mXw8Lz4sQe", "ExnW3v8Kq0ZbT5uX"]) t.true(guessingBits(key) > 70, key);
});
