import type { FunctionComponent } from "preact";
import type { Role } from "../service/session.ts";
import { readSetUpWords, readTimelineWords } from "./language.ts";

export type PageView = FunctionComponent<{ readonly query: Readonly<Record<string, string>> }>;

interface Page {
  /** The lowest role that may see it. */
  readonly role: Role;
  /** Loads the page's code. The pages of a folder are one file of the build. */
  readonly load: () => Promise<PageView>;
  /** The page of the navigation that it belongs to; absent: it stands there itself. */
  readonly under?: string;
}

const today = () => import(/* webpackChunkName: "today" */ "../pages/today/today.ts");
const transactions = () => import(/* webpackChunkName: "transactions" */ "../pages/transactions/transactions.ts");
const transaction = () => import(/* webpackChunkName: "transactions" */ "../pages/transactions/transaction.ts");
const stuck = () => import(/* webpackChunkName: "stuck" */ "../pages/stuck/stuck.ts");
const wallets = () => import(/* webpackChunkName: "health" */ "../pages/health/wallets.ts");
const wallet = () => import(/* webpackChunkName: "health" */ "../pages/health/wallet.ts");
const reports = () => import(/* webpackChunkName: "reports" */ "../pages/reports/reports.ts");
const start = () => import(/* webpackChunkName: "start" */ "../pages/set-up/start/start.ts");
const brands = () => import(/* webpackChunkName: "brands" */ "../pages/set-up/brands/brands.ts");
const brand = () => import(/* webpackChunkName: "brands" */ "../pages/set-up/brands/brand.ts");
const merchants = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/merchants.ts");
const merchant = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/merchant.ts");
const providers = () => import(/* webpackChunkName: "providers" */ "../pages/set-up/providers/providers.ts");
const provider = () => import(/* webpackChunkName: "providers" */ "../pages/set-up/providers/provider.ts");
const games = () => import(/* webpackChunkName: "games" */ "../pages/set-up/games/games.ts");
const keys = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/keys.ts");
const audit = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/audit/audit.ts");

type Load<Module> = () => Promise<Module>;
/** Load a page together with the texts that only the pages of its kind have. */
const withSetUpWords = async <Module>(load: Load<Module>): Promise<Module> =>
  (await Promise.all([load(), readSetUpWords()]))[0];
const withTimelineWords = async <Module>(load: Load<Module>): Promise<Module> =>
  (await Promise.all([load(), readTimelineWords()]))[0];

/** The pages by their place in the address. Those of the navigation are in its order. */
export const PAGES = {
  today: { role: "viewer", load: async () => (await today()).TodayPage },
  transactions: { role: "support", load: async () => (await withTimelineWords(transactions)).Transactions },
  transaction: {
    role: "support",
    load: async () => (await withTimelineWords(transaction)).TransactionPage,
    under: "transactions",
  },
  stuck: { role: "viewer", load: async () => (await withTimelineWords(stuck)).Stuck },
  wallets: { role: "viewer", load: async () => (await wallets()).Wallets },
  wallet: { role: "viewer", load: async () => (await wallet()).WalletPage, under: "wallets" },
  reports: { role: "viewer", load: async () => (await reports()).Reports },
  start: { role: "manager", load: async () => (await withSetUpWords(start)).Start },
  brands: { role: "viewer", load: async () => (await withSetUpWords(brands)).Brands },
  brand: { role: "viewer", load: async () => (await withSetUpWords(brand)).BrandPage, under: "brands" },
  merchants: { role: "viewer", load: async () => (await withSetUpWords(merchants)).Merchants },
  merchant: { role: "viewer", load: async () => (await withSetUpWords(merchant)).MerchantPage, under: "merchants" },
  providers: { role: "viewer", load: async () => (await withSetUpWords(providers)).Providers },
  provider: { role: "viewer", load: async () => (await withSetUpWords(provider)).ProviderPage, under: "providers" },
  games: { role: "manager", load: async () => (await withSetUpWords(games)).Games },
  keys: { role: "manager", load: async () => (await withSetUpWords(keys)).Keys },
  audit: { role: "manager", load: async () => (await withSetUpWords(audit)).Audit },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

export const pageOf = (name: string): Page | undefined =>
  Object.hasOwn(PAGES, name) ? PAGES[name as PageName] : undefined;

/** The pages of the navigation. */
export type NavigationName = Exclude<PageName, "transaction" | "brand" | "merchant" | "provider" | "wallet">;
export const NAVIGATION = (Object.keys(PAGES) as PageName[]).filter(
  (name): name is NavigationName => !("under" in PAGES[name]),
);

/** Loads the code of a page before it is shown. Without a name it is the first page of the navigation. */
export async function loadPageOf(name: string): Promise<void> {
  await pageOf(name || (NAVIGATION[0] ?? ""))?.load();
}
