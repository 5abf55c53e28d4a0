import type { Language } from "../../../../web-renderer/protocol.ts";
import type { SetUpWords } from "./en/en.ts";

/** The texts of the set-up pages in each language. A browser loads them with the first of these pages. */
export const SET_UP_WORDS: Readonly<Record<Language, () => Promise<SetUpWords>>> = {
  pt: async () => (await import("./pt/pt.ts")).pt,
  es: async () => (await import("./es/es.ts")).es,
  en: async () => (await import("./en/en.ts")).en,
};
