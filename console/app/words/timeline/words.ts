import type { Language } from "../../../../web-renderer/protocol.ts";
import type { TimelineWords } from "./en.ts";

/** The texts of the pages with transactions in each language. A browser loads them with the first of these pages. */
export const TIMELINE_WORDS: Readonly<Record<Language, () => Promise<TimelineWords>>> = {
  pt: async () => (await import("./pt.ts")).pt,
  es: async () => (await import("./es.ts")).es,
  en: async () => (await import("./en.ts")).en,
};
