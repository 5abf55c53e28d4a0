import test from "ava";
import { WORDS, wordsOf } from "../../../sandbox/provider/words/words.ts";

test("the page Backstage is in the language of its session, with or without a region, or else in English", (t) => {
  t.is(wordsOf("pt"), WORDS.pt);
  t.is(wordsOf("pt-BR"), WORDS.pt);
  t.is(wordsOf("es-CL"), WORDS.es);
  t.is(wordsOf("en-US"), WORDS.en);
  t.is(wordsOf("fr"), WORDS.en);
  t.is(wordsOf(""), WORDS.en);
});
