/** A game's names: the name for a language, and the text that a search looks in. */

/** Names by language tag (`pt`, `pt-BR`). */
export type Names = Readonly<Record<string, string>>;

/**
 * The name for a language: the name of exactly this tag, else of the language without region, else of its first region,
 * else the game's own name.
 *
 * @param language - a tag in upper or lower case; null: the game's own name.
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
/** The folded form of each character that occurred, so that each is folded once. */
const foldedChars = new Map<string, string>();

function foldedChar(char: string): string {
  let found = foldedChars.get(char);
  if (found === undefined) {
    // Lower case comes first: the capital `ẞ` becomes SS only by way of `ß`.
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
 * The text without the differences that a search ignores: case, accents, and other forms of a letter (`ﬁ`, `ß`, full
 * width).
 */
export const folded = (text: string): string =>
  (ASCII.test(text) ? text : text.replace(OTHERS, foldedChar)).toUpperCase();

/**
 * The text that a search for a game looks in. Neither names nor searched texts have line breaks, so a match never spans
 * two names.
 */
export const searchText = (code: string, name: string, names: Names): string =>
  [code, name, ...Object.values(names)].map(folded).join("\n");

/** The names of a game by language, from its details. They were checked when they were stored. */
export const namesIn = (details: Readonly<Record<string, unknown>>): Names =>
  (details.names as Names | undefined) ?? {};
