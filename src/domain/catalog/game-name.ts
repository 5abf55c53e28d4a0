/** A game's names: which one a language gets, and what a search compares. */

/** Names by language tag (`pt`, `pt-BR`). */
export type Names = Readonly<Record<string, string>>;

/**
 * The name in a language: of the very tag, else of the language alone, else of the first of its regions, else the game's own name.
 *
 * @param language - a tag in any case; null: none is wanted.
 */
export function nameIn(language: string | null, name: string, names: Names): string {
  if (language === null) return name;
  const wanted = language.toLowerCase();
  const [base = ""] = wanted.split("-");
  const tags = Object.keys(names).sort();
  const tag =
    tags.find((one) => one.toLowerCase() === wanted) ??
    tags.find((one) => one.toLowerCase() === base) ??
    tags.find((one) => one.toLowerCase().startsWith(`${base}-`));
  return (tag === undefined ? undefined : names[tag]) ?? name;
}

const ASCII = /^[\0-\x7f]*$/;
const OTHERS = /[^\0-\x7f]/gu;
/** As many characters as names have; each is folded once. */
const foldedChars = new Map<string, string>();

function foldedChar(char: string): string {
  let found = foldedChars.get(char);
  if (found === undefined) {
    // Lower case first, for the capital `ẞ` alone doesn't become SS.
    found = char
      .normalize("NFKD")
      .toLowerCase()
      .toUpperCase()
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "");
    foldedChars.set(char, found);
  }
  return found;
}

/** A text without what a search ignores: case, accents, and the forms that mean the same letter (`ﬁ`, `ß`, full width). */
export const folded = (text: string): string => (ASCII.test(text) ? text : text.replace(OTHERS, foldedChar)).toUpperCase();

/** What a search for a game looks in. Neither a name nor what is looked for has a line break, so nothing is found across two of them. */
export const searchText = (code: string, name: string, names: Names): string => [code, name, ...Object.values(names)].map(folded).join("\n");

/** The names of a game by language, out of its details; they were checked when they were stored. */
export const namesIn = (details: Readonly<Record<string, unknown>>): Names => (details.names as Names | undefined) ?? {};
