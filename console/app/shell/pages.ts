import type { FunctionComponent } from "preact";
import { lazy } from "../parts/lazy.tsx";
import { readMoreWords, readSetUpWords, readTimelineWords } from "./language.ts";
import type { PageName } from "./places.ts";

export type PageView = FunctionComponent<{ readonly query: Readonly<Record<string, string>> }>;

/** Loads a page together with the texts that only the pages of its kind have. */
const withSetUpWords = async <Module>(module: Promise<Module>): Promise<Module> =>
  (await Promise.all([module, readSetUpWords()]))[0];
const withTimelineWords = async <Module>(module: Promise<Module>): Promise<Module> =>
  (await Promise.all([module, readTimelineWords()]))[0];
const withMoreWords = async <Module>(module: Promise<Module>): Promise<Module> =>
  (await Promise.all([module, readMoreWords()]))[0];

const today = () => import(/* webpackChunkName: "today" */ "../pages/today/today.tsx");
const transactions = () => import(/* webpackChunkName: "transactions" */ "../pages/transactions/transactions.tsx");
const transaction = () => import(/* webpackChunkName: "transactions" */ "../pages/transactions/transaction.tsx");
const stuck = () => import(/* webpackChunkName: "stuck" */ "../pages/stuck/stuck.tsx");
const rounds = () => import(/* webpackChunkName: "rounds" */ "../pages/rounds/rounds.tsx");
const wallets = () => import(/* webpackChunkName: "health" */ "../pages/health/wallets.tsx");
const wallet = () => import(/* webpackChunkName: "health" */ "../pages/health/wallet.tsx");
const reports = () => import(/* webpackChunkName: "reports" */ "../pages/reports/reports.tsx");
const start = () => import(/* webpackChunkName: "start" */ "../pages/set-up/start/start.tsx");
const brands = () => import(/* webpackChunkName: "brands" */ "../pages/set-up/brands/brands.tsx");
const brand = () => import(/* webpackChunkName: "brands" */ "../pages/set-up/brands/brand.tsx");
const merchants = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/merchants.tsx");
const merchant = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/merchant.tsx");
const providers = () => import(/* webpackChunkName: "providers" */ "../pages/set-up/providers/providers.tsx");
const provider = () => import(/* webpackChunkName: "providers" */ "../pages/set-up/providers/provider.tsx");
const games = () => import(/* webpackChunkName: "games" */ "../pages/set-up/games/games.tsx");
const keys = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/keys.tsx");
const audit = () => import(/* webpackChunkName: "set-up" */ "../pages/set-up/audit/audit.tsx");

/** Load the code of each page. The pages of a folder are one file of the build. */
const LOADS: Readonly<Record<PageName, () => Promise<PageView>>> = {
  today: async () => (await today()).TodayPage,
  transactions: async () => (await withTimelineWords(withMoreWords(transactions()))).Transactions,
  transaction: async () => (await withTimelineWords(withMoreWords(transaction()))).TransactionPage,
  stuck: async () => (await withTimelineWords(stuck())).Stuck,
  rounds: async () => (await withMoreWords(rounds())).Rounds,
  wallets: async () => (await withMoreWords(wallets())).Wallets,
  wallet: async () => (await withMoreWords(wallet())).WalletPage,
  reports: async () => (await reports()).Reports,
  start: async () => (await withSetUpWords(start())).Start,
  brands: async () => (await withSetUpWords(brands())).Brands,
  brand: async () => (await withSetUpWords(brand())).BrandPage,
  merchants: async () => (await withSetUpWords(merchants())).Merchants,
  merchant: async () => (await withSetUpWords(merchant())).MerchantPage,
  providers: async () => (await withSetUpWords(providers())).Providers,
  provider: async () => (await withSetUpWords(provider())).ProviderPage,
  games: async () => (await withSetUpWords(games())).Games,
  keys: async () => (await withSetUpWords(keys())).Keys,
  audit: async () => (await withSetUpWords(audit())).Audit,
};

/** The parts of the address that name the record of a page. */
const RECORDS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  transaction: ["merchant", "tx"],
  wallet: ["merchant"],
  brand: ["code"],
  merchant: ["code"],
  provider: ["code"],
};

/** Differs for each page and record, so that a message or a form of one record never stands on another. */
export const keyOf = (page: PageName, query: Readonly<Record<string, string>>): string =>
  JSON.stringify([page, ...(RECORDS[page] ?? []).map((name) => query[name] ?? "")]);

export const loadPage = (name: PageName): Promise<PageView> => LOADS[name]();

/** The pages. The code of each is loaded when it is opened. */
export const PAGE_VIEWS = Object.fromEntries(
  Object.entries(LOADS).map(([name, load]) => [name, lazy(load)]),
) as Readonly<Record<PageName, PageView>>;

/** Loads the dialog that leads to places. */
export const loadJump = async (): Promise<typeof import("./jump.tsx").Jump> =>
  (await withMoreWords(import(/* webpackChunkName: "jump" */ "./jump.tsx"))).Jump;
