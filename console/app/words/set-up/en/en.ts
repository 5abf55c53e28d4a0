import { audit } from "./audit.ts";
import { brands } from "./brands.ts";
import { games } from "./games.ts";
import { providers } from "./providers.ts";

export const en = { audit, brands, games, providers };

export type SetUpWords = typeof en;
