import { LANGUAGES, type Language } from "../../web-renderer/protocol.ts";
import { make } from "./dom.ts";

const NAMES: Readonly<Record<Language, string>> = { pt: "Português", es: "Español", en: "English" };

const known = (text: string): Language | undefined =>
  LANGUAGES.find((language) => text.toLowerCase().startsWith(language));

/** `?lang=` of the page's address, else the first of the browser's languages that the page speaks, else English. */
export function pageLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = asked === null ? navigator.languages : [asked, ...navigator.languages];
  return wanted.map(known).find((language) => language !== undefined) ?? "en";
}

/** Links to the page in each language. `label` names them for screen readers. */
export const languageLinks = (current: Language, label: string): HTMLElement =>
  make(
    "nav",
    { class: "languages", "aria-label": label },
    ...LANGUAGES.map((language) =>
      make(
        "a",
        { href: `?lang=${language}`, lang: language, "aria-current": language === current ? "true" : null },
        NAMES[language],
      ),
    ),
  );
