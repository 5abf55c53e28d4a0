/** The language of this visit, and its texts. */

import { pageLanguage } from "../../../look/language.ts";
import type { Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "./words/en.ts";
import { WORDS } from "./words/words.ts";

export const language: Language = pageLanguage();
export const words: Words = WORDS[language];

/** The locale that formats times in this language. */
export const locale: string = { pt: "pt-BR", es: "es-419", en: "en-GB" }[language];
