/** The language of a page, and its reader's choice. */
import { LANGUAGES, type Language } from "../../web-renderer/protocol.ts";

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { pt: "Português", es: "Español", en: "English" };

const KEY = "language";

const known = (text: string): Language | undefined =>
  LANGUAGES.find((language) => text.toLowerCase().startsWith(language));

/**
 * `?lang=` of the page's address, else the choice that this browser keeps, else the first of the browser's languages that
 * the page has, else English.
 */
export function pageLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, keptChoice(), ...navigator.languages].filter((one) => one !== null);
  return wanted.map(known).find((language) => language !== undefined) ?? "en";
}

/** Keeps the choice. The page must be loaded anew to show it. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The browser keeps nothing, so the page stays in the language that the browser prefers.
  }
}

function keptChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
