import type { Language } from "../../../../web-renderer/protocol.ts";
import { minorFormat } from "../../../design/money.ts";
import type { State } from "../state.ts";
import { Times } from "../times.ts";
import type { Words } from "../words/en.ts";
import { WORDS } from "../words/words.ts";

/** The input of every view: the state, and functions that format texts. */
export interface Context {
  readonly state: State;
  readonly words: Words;
  /** Formats minor units of the session's currency. */
  readonly money: (minor: number) => string;
  readonly times: Times;
}

export function contextOf(state: State): Context {
  const format =
    state.session === undefined ? (minor: number) => (minor / 100).toFixed(2) : minorFormat(state.session.currency);
  return { state, words: WORDS[state.language], money: format, times: timesIn(state.language) };
}

const timesByLanguage = new Map<Language, Times>();

/** Kept, because a formatter is slow to make and the page is drawn often. */
function timesIn(language: Language): Times {
  const times = timesByLanguage.get(language) ?? new Times(language, navigator.languages);
  timesByLanguage.set(language, times);
  return times;
}
