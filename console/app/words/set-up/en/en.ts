import { audit } from "./audit.ts";
import { brands } from "./brands.ts";
import { providers } from "./providers.ts";

export const en = { audit, brands, providers };

export type SetUpWords = typeof en;
