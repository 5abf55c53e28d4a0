import glossary from "../../../sandbox/glossary.json" with { type: "json" };
import type { Language } from "../../../web-renderer/protocol.ts";

type Terms = Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>;
const AVOID: Readonly<Record<Language, Readonly<Record<string, string>>>> = glossary.avoid;

/**
 * Whether the text has the term as whole words, in upper or lower case. A `*` at the term's end matches any ending. A
 * code such as `WALLET_UNAVAILABLE` is one word.
 */
export function has(text: string, term: string): boolean {
  const plain = term.replace(/\*$/, "").replaceAll(/[.+?()[\]\\^$|]/g, "\\$&");
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${plain}${term.endsWith("*") ? "[\\p{L}\\p{N}]*" : ""}(?![\\p{L}\\p{N}_])`,
    "iu",
  ).test(text);
}

/** The text's violations of the glossary, as sentences. `english` is the same text in English. */
export function faults(language: Language, text: string, english: string): string[] {
  const missing = Object.entries(glossary.terms as Terms)
    .filter(([, term]) => term.en.some((word) => has(english, word)))
    .filter(([, term]) => !term[language].some((word) => has(text, word)))
    .map(([, term]) => `needs ${term[language].join(" or ")}`);
  const avoided = Object.entries(AVOID[language])
    .filter(([word]) => has(text, word))
    .map(([word, better]) => `has ${word}; write ${better}`);
  return [...missing, ...avoided, ...(language === "en" ? [] : untranslated(text, english))];
}

function untranslated(text: string, english: string): string[] {
  const letters = /\p{L}/u.test(text);
  const same = letters && text === english && !glossary.same.includes(text) ? ["is the same as in English"] : [];
  return [...same, ...englishWords(text).map((word) => `has the English word ${word}`)];
}

/** The forbidden English words in a Portuguese or Spanish text. */
const englishWords = (text: string): string[] => glossary.english.filter((word) => has(text, word));
