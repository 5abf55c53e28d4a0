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

const ASCII = /^[\x20-\x7e]*$/;

/** A text without what a search ignores: case, accents, and the forms that mean the same letter (`ﬁ`, `ß`, full width). */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  // Lower case first, for the capital `ẞ` alone doesn't become SS.
  return text
    .normalize("NFKD")
    .toLowerCase()
    .toUpperCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}
