import type { Language } from "../../../web-renderer/protocol.ts";
import type { Words } from "./en/en.ts";

/** The texts of each language. A browser loads only the language that it shows. */
export const WORDS: Readonly<Record<Language, () => Promise<Words>>> = {
  pt: async () => (await import("./pt/pt.ts")).pt,
  es: async () => (await import("./es/es.ts")).es,
  en: async () => (await import("./en/en.ts")).en,
};
