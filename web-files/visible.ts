/**
 * The characters that nobody sees (DI is Default_Ignorable_Code_Point): marks that turn the direction of text, zero-width characters, tags, fillers and
 * further characters that a font leaves out. With them two different ids look the same, and an id can change the order
 * of the text around it.
 */
const INVISIBLE = /[\p{Cf}\p{DI}]/gu;

/**
 * A text of a stranger as people see it: `a[U+202E]b` for an id that contains U+202E. Only for people. What is stored
 * and what programs get keeps its characters.
 */
export const visible = (text: string): string =>
  text.replace(
    INVISIBLE,
    (sign) => `[U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
