import { pageLanguage } from "../../../sandbox/design/language.ts";
import type { Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "../words/en/en.ts";
import { WORDS } from "../words/words.ts";

/** The language of this page. Another choice loads the page anew. */
export const language: Language = pageLanguage();
/** The locale of numbers and times. */
export const LOCALE: string = { pt: "pt-BR", es: "es-419", en: "en-GB" }[language];

/** The texts of the page. They are there from {@link readWords} on, which comes before the first element. */
export let words: Words;

export async function readWords(): Promise<void> {
  words = await WORDS[language]();
}
