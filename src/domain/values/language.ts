/** Languages: pt, es or en, with or without a region (docs/specification/basics.md#basic-language). */

import { LANGUAGES } from "../../../contract/values/look.ts";

export { LANGUAGES } from "../../../contract/values/look.ts";
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];

/** One text for people, in each language. */
export type Texts = Readonly<Record<Language, string>>;

const LANGUAGE = new RegExp(`^(${LANGUAGES.join("|")})(?:-([a-z]{2}|\\d{3}))?$`, "i");

/** Whether `text` is a language tag, in upper or lower case. */
export const isLanguage = (text: string): boolean => LANGUAGE.test(text);

/** The language tag in its usual spelling: `en-US` for `EN-us`. The caller must have checked the tag. */
export function languageTag(text: string): string {
  const [, language = "", region] = LANGUAGE.exec(text) ?? [];
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}
