import type { Language } from "../../../../web-renderer/protocol.ts";
import type { MoreWords } from "./en.ts";

/** The texts of rounds, of wallet health and of the dialog of places, in each language. They are loaded when needed. */
export const MORE_WORDS: Readonly<Record<Language, () => Promise<MoreWords>>> = {
  pt: async () => (await import("./pt.ts")).pt,
  es: async () => (await import("./es.ts")).es,
  en: async () => (await import("./en.ts")).en,
};
