import { pageLanguage } from "../../../sandbox/design/language.ts";
import type { Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "../words/en/en.ts";
import type { SetUpWords } from "../words/set-up/en/en.ts";
import { SET_UP_WORDS } from "../words/set-up/words.ts";
import { WORDS } from "../words/words.ts";

/** The language of this page. Another choice loads the page anew. */
export const language: Language = pageLanguage();
/** The locale of numbers and times. */
export const LOCALE: string = { pt: "pt-BR", es: "es-419", en: "en-GB" }[language];

/** The texts of the page. They are there from {@link readWords} on, which comes before the first element. */
export let words: Words;
/** The texts that only the set-up pages have. They are there from {@link readSetUpWords} on. */
export let setUpWords: SetUpWords;

export async function readWords(): Promise<void> {
  words = await WORDS[language]();
}

export async function readSetUpWords(): Promise<void> {
  setUpWords ??= await SET_UP_WORDS[language]();
}
