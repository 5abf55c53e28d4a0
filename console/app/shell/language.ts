import { pageLanguage } from "../../../look/language.ts";
import type { Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "../words/en/en.ts";
import type { MoreWords } from "../words/more/en.ts";
import { MORE_WORDS } from "../words/more/words.ts";
import type { SetUpWords } from "../words/set-up/en/en.ts";
import { SET_UP_WORDS } from "../words/set-up/words.ts";
import type { TimelineWords } from "../words/timeline/en.ts";
import { TIMELINE_WORDS } from "../words/timeline/words.ts";
import { WORDS } from "../words/words.ts";

/** The language of this page. Another choice loads the page anew. */
export const language: Language = pageLanguage();
/** The locale of numbers and times. */
export const LOCALE: string = { pt: "pt-BR", es: "es-419", en: "en-GB" }[language];

/** The texts of the page. They are there from {@link readWords} on, which comes before the first element. */
export let words: Words;
/** The texts that only the set-up pages have. They are there from {@link readSetUpWords} on. */
export let setUpWords: SetUpWords;
/** The texts that only pages with transactions have. They are there from {@link readTimelineWords} on. */
export let timelineWords: TimelineWords;
/** Texts that only a few pages have. They are there from {@link readMoreWords} on. */
export let moreWords: MoreWords;

export async function readWords(): Promise<void> {
  words = await WORDS[language]();
}

export async function readSetUpWords(): Promise<void> {
  setUpWords ??= await SET_UP_WORDS[language]();
}

export async function readTimelineWords(): Promise<void> {
  timelineWords ??= await TIMELINE_WORDS[language]();
}

export async function readMoreWords(): Promise<void> {
  moreWords ??= await MORE_WORDS[language]();
}
