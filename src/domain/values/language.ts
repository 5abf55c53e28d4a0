/** Languages: pt, es or en, alone or with a region (docs/specification/basics.md#basic-language). */

const LANGUAGE = /^(pt|es|en)(?:-([a-z]{2}|\d{3}))?$/i;

/** Whether `text` names a language, in any case. */
export const isLanguage = (text: string): boolean => LANGUAGE.test(text);

/** The tag as it is usually written: `EN-us` as `en-US`. The caller has checked it. */
export function languageTag(text: string): string {
  const [, language = "", region] = LANGUAGE.exec(text) ?? [];
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}
