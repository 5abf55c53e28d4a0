import { LANGUAGE_NAMES } from "../../../../look/language.ts";
import { setUpWords } from "../../shell/language.ts";

/** The name of a brand's or merchant's language. Empty: it has none of its own. */
export const languageName = (code = ""): string =>
  code === "" ? setUpWords.brands.noLanguage : ((LANGUAGE_NAMES as Readonly<Record<string, string>>)[code] ?? code);
