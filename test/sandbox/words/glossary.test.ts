import test from "ava";
import { faults, has } from "./glossary.ts";
import { LANGUAGES, PAGES, textsOf } from "./texts.ts";

for (const [page, words] of Object.entries(PAGES)) {
  test(`the page ${page} has the same texts in each language, and no text is empty`, (t) => {
    const english = [...textsOf(words.en).keys()];
    t.true(english.length > 20);
    for (const language of LANGUAGES) {
      const texts = textsOf(words[language]);
      t.deepEqual([...texts.keys()].sort(), [...english].sort(), language);
      t.deepEqual(
        [...texts].filter(([, text]) => text.trim() === ""),
        [],
        language,
      );
    }
  });

  for (const language of LANGUAGES)
    test(`the texts of the page ${page} in ${language} use the words of the glossary`, (t) => {
      const english = textsOf(words.en);
      const wrong = [...textsOf(words[language])].flatMap(([key, text]) =>
        faults(language, text, english.get(key) ?? "").map((fault) => `${key} "${text}" ${fault}`),
      );
      t.deepEqual(wrong, []);
    });
}

test("no line can break between a number and its percent sign", (t) => {
  const percentages = Object.entries(PAGES).flatMap(([page, words]) =>
    LANGUAGES.flatMap((language) =>
      [...textsOf(words[language])]
        .filter(([, text]) => text.includes("%"))
        .map(([key, text]) => ({ page, key, text })),
    ),
  );
  t.true(percentages.length >= 6);
  t.deepEqual(
    percentages.filter(({ text }) => / %/.test(text)),
    [],
  );
});

test("no text leaves the plural to the reader, and no verdict of a wallet begins with a pronoun", (t) => {
  const wrong = Object.entries(PAGES).flatMap(([page, words]) =>
    LANGUAGES.flatMap((language) =>
      [...textsOf(words[language])]
        .filter(
          ([, text]) => /\p{L}\((s|es)\)/u.test(text) || (page.startsWith("console") && /^(Ella|Ela) /.test(text)),
        )
        .map(([key, text]) => `${page} ${language} ${key}: ${text}`),
    ),
  );
  t.deepEqual(wrong, []);
});

test("the glossary test finds a wrong word, a missing term and an untranslated text", (t) => {
  t.deepEqual(faults("pt", "A cotação mudou", "Odds changed"), ["needs odd or odds", "has cotação; write odd"]);
  t.deepEqual(faults("es", "La apuesta no fue aceptada, y nada se debitó.", "The bet was not taken."), [
    "has nada se debitó; write no se debitó nada",
  ]);
  t.deepEqual(faults("pt", "Clear all", "Clear all"), ["is the same as in English"]);
  t.deepEqual(faults("es", "Salir of here", "Leave this place"), ["has the English word of"]);
  t.deepEqual(faults("en", "Your coupon", "Your coupon"), ["has coupon; write betslip"]);
  t.deepEqual(faults("pt", "Odd total", "Total odds"), []);
});

test("a term is found as a whole word, in upper or lower case, and with any ending after a star", (t) => {
  t.true(has("Aceitar novas ODDS", "odds"));
  t.false(has("todds", "odds"));
  t.false(has("método", "odo"));
  t.false(has("PLAYER_BLOCKED", "player"));
  t.true(has("Encerradas", "encerrad*"));
  t.false(has("Encerrar", "encerrad*"));
});
