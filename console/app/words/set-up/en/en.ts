import { audit } from "./audit.ts";

export const en = { audit };

export type SetUpWords = typeof en;
