import type { Language } from "../../../../web-renderer/protocol.ts";
import { minorFormat } from "../../../design/money.ts";
import type { State } from "../state.ts";
import type { Words } from "../words/en.ts";
import { WORDS } from "../words/words.ts";

/** The input of every view: the state, and functions that format texts. */
export interface Context {
  readonly state: State;
  readonly words: Words;
  /** Formats minor units of the session's currency. */
  readonly money: (minor: number) => string;
  /** `18:30`, in the page's language. */
  readonly clock: (at: number) => string;
}

const LOCALES = { pt: "pt-BR", es: "es-419", en: "en-GB" } as const satisfies Record<Language, string>;

export function contextOf(state: State): Context {
  const time = new Intl.DateTimeFormat(LOCALES[state.language], { hour: "2-digit", minute: "2-digit" });
  const format =
    state.session === undefined ? (minor: number) => (minor / 100).toFixed(2) : minorFormat(state.session.currency);
  return { state, words: WORDS[state.language], money: format, clock: (at) => time.format(at) };
}
