import { keys, ping, rotation, walletChange } from "./access.ts";
import { audit } from "./audit.ts";
import { brands } from "./brands.ts";
import { games } from "./games.ts";
import { providers } from "./providers.ts";
import { merchantActs, newMerchant, start } from "./start.ts";

export const en = {
  audit,
  brands,
  games,
  keys,
  merchantActs,
  newMerchant,
  ping,
  providers,
  rotation,
  start,
  walletChange,
};

export type SetUpWords = typeof en;
