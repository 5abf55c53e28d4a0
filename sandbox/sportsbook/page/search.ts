/** The search for matches by team and league. */
import type { BookEvent } from "../model/book.ts";

/** Without accents and in lower case, so that `atletico` finds Atlético. */
const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/**
 * The matches that fit a text: each word of the text must be the beginning of a word in the teams or the league. An
 * empty text finds nothing.
 */
export function found<T extends Pick<BookEvent, "home" | "away" | "league_name">>(
  events: readonly T[],
  text: string,
): T[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  return events.filter(({ home, away, league_name }) => {
    const names = wordsOf(`${home} ${away} ${league_name}`);
    return wanted.every((word) => names.some((name) => name.startsWith(word)));
  });
}
