/** A game's name in a language, and the text that is searched when somebody looks for a game. */

/** Names by language tag (`pt`, `pt-BR`). */
export type Names = Readonly<Record<string, string>>;

/**
 * The name for a language: the name for exactly this tag. Else the name for the language without its region, else for
 * the language's first region, else the game's own name.
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
/**
 * The folded form (see {@link folded}) of each character that occurred, so that each character is computed only once.
 */
const foldedChars = new Map<string, string>();

function foldedChar(char: string): string {
  let found = foldedChars.get(char);
  if (found === undefined) {
    // The text is changed to lower case first, because the capital `ẞ` becomes SS only by way of `ß`.
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

/**
 * The text without the differences that a search ignores: upper case, accents, and other forms of a letter (`ﬁ`, `ß`,
 * full width).
 */
export const folded = (text: string): string =>
  (ASCII.test(text) ? text : text.replace(OTHERS, foldedChar)).toUpperCase();

/**
 * The text that is searched when somebody looks for a game. Neither names nor the words of a search have line breaks,
 * so a match never spans two names.
 */
export const searchText = (code: string, name: string, names: Names): string =>
  [code, name, ...Object.values(names)].map(folded).join("\n");

/** The names of a game by language, from its details. They were checked when they were stored. */
export const namesIn = (details: Readonly<Record<string, unknown>>): Names =>
  (details.names as Names | undefined) ?? {};
