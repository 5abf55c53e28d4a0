import test from "ava";
import fc from "fast-check";
import { folded, nameIn, searchText } from "../../../src/domain/catalog/game-name.ts";

test("folded removes case and accents, however they are written", (t) => {
  for (const texts of [
    ["Ação", "ACAO", "ação", "ac\u0327a\u0303o"],
    ["Café Ñandú", "cafe nandu"],
    ["Straße", "STRASSE", "STRAẞE"],
    ["ﬁsh", "FISH"],
    ["ΟΔΟΣ", "οδος", "οδοσ"],
    ["İstanbul", "istanbul", "ISTANBUL", "ıstanbul"],
    ["Ｆｕｌｌ", "full"],
  ])
    t.is(new Set(texts.map(folded)).size, 1, texts.join());
  t.not(folded("a"), folded("b"));
  t.is(folded("50% & more"), "50% & MORE");
});

test("folding a folded text changes nothing, and a folded part of a text is found in the folded text", (t) => {
  const latin = fc.string({ unit: fc.constantFrom(..."abcXYZ 09-áÀçÇãÕñÑüÜêßœøłđ"), maxLength: 30 });
  fc.assert(
    fc.property(latin, latin, latin, (before, part, behind) => {
      const name = `${before}${part}${behind}`;
      t.is(folded(folded(name)), folded(name));
      t.true(folded(name).includes(folded(part)));
      t.is(folded(name.normalize("NFD")), folded(name));
      t.is(folded(name.toLowerCase()), folded(name));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void folded(text)));
});

test("a search finds no match that spans a code and a name, or two names", (t) => {
  const text = searchText("abc", "Def", { pt: "Ghi" });
  for (const part of ["abc", "def", "ghi"]) t.true(text.includes(folded(part)));
  t.false(text.includes(folded("bcd")) || text.includes(folded("fgh")));
});

test("nameIn tries the exact tag, then the language, then the first region of the language, then the game's own name", (t) => {
  const names = { en: "Fruits", "pt-BR": "Frutas BR", "pt-PT": "Frutas PT", "es-MX": "Frutas MX" };
  for (const [language, name] of [
    [null, "Own"],
    ["en", "Fruits"],
    ["en-US", "Fruits"],
    ["pt", "Frutas BR"],
    ["PT-pt", "Frutas PT"],
    ["pt-AO", "Frutas BR"],
    ["es", "Frutas MX"],
    ["fr", "Own"],
  ] as const)
    t.is(nameIn(language, "Own", names), name, String(language));
  t.is(nameIn("pt", "Own", {}), "Own");
});
