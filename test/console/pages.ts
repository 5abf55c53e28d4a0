/** Every page of the console, for tests that look at all of them. */
import type { Role } from "./stage.ts";

export interface ShownPage {
  readonly address: string;
  /** The lowest role that may see the page. */
  readonly role: Role;
  /** A text that shows that the page has its data, in an installation with a merchant and a transaction. */
  readonly ready: string | RegExp;
}

export const PAGES: readonly ShownPage[] = [
  { address: "today", role: "viewer", ready: "GGR by hour" },
  { address: "transactions?merchant=shop-brl", role: "support", ready: "ACME:b1" },
  { address: "transactions?q=b1", role: "support", ready: "Found by" },
  { address: "transactions?q=ana", role: "support", ready: "Ask the wallet" },
  { address: "transaction?merchant=shop-brl&tx=ACME%3Ab1", role: "support", ready: /^The wallet was asked/ },
  { address: "stuck", role: "viewer", ready: /Nothing is owed or stuck|pending transaction/ },
  { address: "rounds?merchant=shop-brl", role: "viewer", ready: "No round here" },
  { address: "wallets", role: "viewer", ready: "shop-clp" },
  { address: "wallet?merchant=shop-clp", role: "viewer", ready: "The wallet was not called in this time" },
  { address: "reports?merchant=shop-brl", role: "viewer", ready: "not complete" },
  { address: "start", role: "manager", ready: "6. First launch" },
  { address: "brands", role: "viewer", ready: "mint-carbon" },
  { address: "brand?code=shop", role: "viewer", ready: "There is no preview, because" },
  { address: "merchants", role: "viewer", ready: "shop-clp" },
  { address: "merchant?code=shop-brl", role: "viewer", ready: "Wallet address" },
  { address: "providers", role: "viewer", ready: "ACME" },
  { address: "provider?code=ACME", role: "viewer", ready: "A launch tries the enabled sources" },
  { address: "games", role: "manager", ready: "Games in the catalog: 2" },
  { address: "keys", role: "manager", ready: "support-1" },
  { address: "audit", role: "manager", ready: "Before" },
];
