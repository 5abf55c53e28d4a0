import type { FunctionComponent } from "preact";
import { WalletPage } from "../pages/health/wallet.ts";
import { Wallets } from "../pages/health/wallets.ts";
import { Reports } from "../pages/reports/reports.ts";
import { Audit } from "../pages/set-up/audit.ts";
import { Keys } from "../pages/set-up/keys.ts";
import { MerchantPage } from "../pages/set-up/merchant.ts";
import { Merchants } from "../pages/set-up/merchants.ts";
import { TransactionPage } from "../pages/transactions/transaction.ts";
import { Transactions } from "../pages/transactions/transactions.ts";
import type { Role } from "../service/session.ts";

interface Page {
  /** The lowest role that may see it. */
  readonly role: Role;
  readonly view: FunctionComponent<{ readonly query: Readonly<Record<string, string>> }>;
  /** The page of the navigation that it belongs to; absent: it stands there itself. */
  readonly under?: string;
}

/** The pages by their place in the address. Those of the navigation are in its order. */
export const PAGES = {
  transactions: { role: "support", view: Transactions },
  transaction: { role: "support", view: TransactionPage, under: "transactions" },
  wallets: { role: "viewer", view: Wallets },
  wallet: { role: "viewer", view: WalletPage, under: "wallets" },
  reports: { role: "viewer", view: Reports },
  merchants: { role: "viewer", view: Merchants },
  merchant: { role: "viewer", view: MerchantPage, under: "merchants" },
  keys: { role: "manager", view: Keys },
  audit: { role: "manager", view: Audit },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

export const pageOf = (name: string): Page | undefined =>
  Object.hasOwn(PAGES, name) ? PAGES[name as PageName] : undefined;

/** The pages of the navigation. */
export type NavigationName = Exclude<PageName, "transaction" | "merchant" | "wallet">;
export const NAVIGATION = (Object.keys(PAGES) as PageName[]).filter(
  (name): name is NavigationName => !("under" in PAGES[name]),
);
