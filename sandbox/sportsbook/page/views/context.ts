import type { Language } from "../../../../web-renderer/protocol.ts";
import { minorFormat } from "../../../design/money.ts";
import { oddsText } from "../../model/odds.ts";
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
  /** Formats odds in the chosen format: `1.85`, in Portuguese and Spanish `1,85`. */
  readonly oddsText: (hundredths: number) => string;
  readonly times: Pick<Times, "near" | "full">;
}

/** @param times - absent: those of the player's device. */
export function contextOf(state: State, times: Context["times"] = timesIn(state.language)): Context {
  const format =
    state.session === undefined ? (minor: number) => (minor / 100).toFixed(2) : minorFormat(state.session.currency);
  const words = WORDS[state.language];
  const text = (hundredths: number) => oddsText(hundredths, state.oddsFormat).replace(".", words.decimalMark);
  return { state, words, money: format, oddsText: text, times };
}

const timesByLanguage = new Map<Language, Times>();

/** Cached, because a formatter takes long to create and the page is drawn often. */
function timesIn(language: Language): Times {
  const times = timesByLanguage.get(language) ?? new Times(language, navigator.languages);
  timesByLanguage.set(language, times);
  return times;
}
