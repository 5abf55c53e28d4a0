/** The language of a page, and its reader's choice. */
import { LANGUAGES, type Language } from "../web-renderer/protocol.ts";

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { pt: "Português", es: "Español", en: "English" };

const KEY = "language";

const known = (text: string): Language | undefined =>
  LANGUAGES.find((language) => text.toLowerCase().startsWith(language));

/**
 * The page's language: `?lang=` of its address, or the choice that this browser has stored, or the first of the
 * browser's languages that the page has, or English.
 */
export function pageLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, keptChoice(), ...navigator.languages].filter((one) => one !== null);
  return wanted.map(known).find((language) => language !== undefined) ?? "en";
}

/** Stores the chosen language in the browser. The page must be loaded again to show it. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The browser allows no storage, so the page stays in the language that the browser prefers.
  }
}

function keptChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
