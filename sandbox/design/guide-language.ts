import { LANGUAGE_NAMES } from "../../look/language.ts";
import { LANGUAGES, type Language } from "../../web-renderer/protocol.ts";
import { make } from "./dom.ts";

/** Links to the page in each language. `label` names them for screen readers. */
export const languageLinks = (current: Language, label: string): HTMLElement =>
  make(
    "nav",
    { class: "languages", "aria-label": label },
    ...LANGUAGES.map((language) =>
      make(
        "a",
        { href: `?lang=${language}`, lang: language, "aria-current": language === current ? "true" : null },
        LANGUAGE_NAMES[language],
      ),
    ),
  );
