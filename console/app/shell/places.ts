import type { Role } from "../service/session.ts";

interface Place {
  /** The lowest role that may see the page. */
  readonly role: Role;
  /** The page of the navigation that it belongs to; absent: it stands there itself. */
  readonly under?: string;
}

/** The pages by their place in the address. Those of the navigation are in its order. */
export const PLACES = {
  today: { role: "viewer" },
  transactions: { role: "support" },
  transaction: { role: "support", under: "transactions" },
  stuck: { role: "viewer" },
  rounds: { role: "viewer" },
  wallets: { role: "viewer" },
  wallet: { role: "viewer", under: "wallets" },
  reports: { role: "viewer" },
  start: { role: "manager" },
  brands: { role: "viewer" },
  brand: { role: "viewer", under: "brands" },
  merchants: { role: "viewer" },
  merchant: { role: "viewer", under: "merchants" },
  providers: { role: "viewer" },
  provider: { role: "viewer", under: "providers" },
  games: { role: "manager" },
  keys: { role: "manager" },
  audit: { role: "manager" },
} as const satisfies Readonly<Record<string, Place>>;

export type PageName = keyof typeof PLACES;

export const isPage = (name: string): name is PageName => Object.hasOwn(PLACES, name);

export const placeOf = (name: PageName): Place => PLACES[name];

/** The pages of the navigation. */
export type NavigationName = Exclude<PageName, "transaction" | "brand" | "merchant" | "provider" | "wallet">;
export const NAVIGATION = (Object.keys(PLACES) as PageName[]).filter(
  (name): name is NavigationName => !("under" in PLACES[name]),
);
