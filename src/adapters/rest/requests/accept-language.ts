import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../../../domain/values/language.ts";

/** The language of a reply, by the request's Accept-Language (docs/specification/rest-api.md#rest-language). */
export function languageOf(header: string | undefined): Language {
  return header === undefined ? DEFAULT_LANGUAGE : readAcceptLanguage(header);
}

const isKnownLanguage = (name: string): name is Language => (LANGUAGES as readonly string[]).includes(name);

/** A range with one of the languages or `*`, up to the next comma. All other ranges are passed over. */
const RANGE =
  /(?:^|,)\s*(\*|pt|es|en)((?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?(?=,|$)/gi;
/** The number of such ranges that are read. A browser sends a handful, but a header may have thousands. */
const RANGES_MAX = 100;

/**
 * The language with the highest quality. Of languages with the same quality, the first in the header wins. `es-MX`
 * counts as `es`, and `*` as every language that the header does not list. A range of another form is ignored. If no
 * language is acceptable, it is Portuguese.
 */
function readAcceptLanguage(header: string): Language {
  const qualities = new Map<string, number>();
  for (const [, name = "", region = "", q = "1"] of header.matchAll(RANGE).take(RANGES_MAX)) {
    const language = name.toLowerCase();
    // If the header refuses a region, the language itself is not refused.
    if (region !== "" && Number(q) === 0) continue;
    qualities.set(language, Math.max(qualities.get(language) ?? 0, Number(q)));
  }
  const others = qualities.get("*") ?? 0;
  const candidates = [...new Set([...qualities.keys(), ...LANGUAGES])].filter(isKnownLanguage);
  const qualityOf = (language: Language): number => qualities.get(language) ?? others;
  const best = candidates.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  return qualityOf(best) > 0 ? best : DEFAULT_LANGUAGE;
}
