import type { Language } from "../../../../web-renderer/protocol.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { pt } from "./pt.ts";

export const WORDS: Readonly<Record<Language, Words>> = { pt, es, en };
