import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../../../domain/values/language.ts";

/** Browsers and HTTP clients send few different values, so that each is read once. */
const known = new Map<string, Language>();
const KNOWN_MAX = 256;
const KNOWN_LENGTH_MAX = 128;

/** The language of a reply, by the request's Accept-Language (docs/specification/rest-api.md#rest-language). */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return DEFAULT_LANGUAGE;
  const found = known.get(header);
  if (found !== undefined) return found;
  const language = readAcceptLanguage(header);
  if (header.length <= KNOWN_LENGTH_MAX && known.size < KNOWN_MAX) known.set(header, language);
  return language;
}

const RANGE = /^(\*|[a-z]{1,8})((?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The language with the highest quality; of equal ones the first that is named. `es-MX` counts as `es`, `*` as every
 * language that is not named. A range of another form is ignored. Portuguese when no language is acceptable.
 */
function readAcceptLanguage(header: string): Language {
  const qualities = new Map<string, number>();
  for (const range of header.split(",")) {
    const [, name = "", region = "", q = "1"] = RANGE.exec(range.trim()) ?? [];
    const language = name.toLowerCase();
    // A refused region does not refuse its language.
    if (name === "" || (region !== "" && Number(q) === 0)) continue;
    qualities.set(language, Math.max(qualities.get(language) ?? 0, Number(q)));
  }
  const others = qualities.get("*") ?? 0;
  const named = LANGUAGES.filter((language) => qualities.has(language));
  const order = [...qualities.keys()];
  const candidates = [
    ...named.sort((a, b) => order.indexOf(a) - order.indexOf(b)),
    ...LANGUAGES.filter((language) => !qualities.has(language)),
  ];
  const qualityOf = (language: Language): number => qualities.get(language) ?? others;
  const best = candidates.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  return qualityOf(best) > 0 ? best : DEFAULT_LANGUAGE;
}
