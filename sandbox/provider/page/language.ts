/** The language in which the game was opened, and its texts. */
import { LANGUAGES, type Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "./words/en.ts";
import { WORDS } from "./words/words.ts";

/** The language in the address comes from OpenGame, with or without a region (pt-BR). */
const wanted = new URLSearchParams(location.search).get("lang")?.slice(0, 2);

export const language: Language = LANGUAGES.find((one) => one === wanted) ?? "en";
export const words: Words = WORDS[language];
