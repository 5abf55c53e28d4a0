import { LANGUAGES, type Language } from "../../../web-renderer/protocol.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { pt } from "./pt.ts";

export const WORDS: Readonly<Record<Language, Words>> = { pt, es, en };

/** The texts in a session's language, which may have a region (`pt-BR`). English for a language without texts. */
export const wordsOf = (language: string): Words =>
  WORDS[LANGUAGES.find((one) => language.split("-")[0] === one) ?? "en"];
