/**
 * A text of a stranger as people see it: `a[U+202E]b` for an id that contains U+202E. Such characters could turn the
 * direction of a line, or make two ids look the same. The pages and exports write them in the same way.
 */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (sign) => `[U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}]`,
  );

/**
 * A sentence that may contain texts of strangers. Its line breaks stay. Each other character that controls a terminal
 * becomes a space.
 */
export const visibleSentence = (text: string): string => visible(text).replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
