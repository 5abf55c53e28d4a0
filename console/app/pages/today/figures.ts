import type { Whole } from "../../parts/amount.ts";
import { type Health, rankOf, type Verdict } from "../../service/wallet-health.ts";
import { midnight } from "../../shell/zone.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** Pending money of this age makes a merchant one of those that are shown first. */
const STUCK_AFTER_S = 3_600;

interface HourFigures {
  readonly at: string;
  readonly currency: string;
  readonly betCount?: Whole;
  readonly betsMinor?: Whole;
  readonly winsMinor?: Whole;
  readonly refundsMinor?: Whole;
  readonly rollbacksMinor?: Whole;
}

export interface PendingAge {
  readonly olderThanS?: number;
  readonly count?: number;
  readonly amountMinor?: Whole;
}

export interface MerchantNow {
  readonly merchant: string;
  readonly currency: string;
  readonly betsPerMinute?: number;
  readonly players?: number;
  readonly pending?: readonly PendingAge[];
  readonly wallet?: Health;
  readonly walletVerdict?: Verdict;
  /** Whether the first minute of its wallet's calls is not over. */
  readonly walletCounting?: boolean;
  /** Wins and refunds that players wait for. */
  readonly owed?: {
    readonly count?: number;
    readonly amountMinor?: Whole;
    readonly needsPerson?: number;
    readonly pending?: number;
  };
}

/** The reply of GetToday. */
export interface Today {
  readonly asOf: string;
  readonly from: string;
  readonly hours?: readonly HourFigures[];
  readonly weekBefore?: readonly HourFigures[];
  readonly merchants?: readonly MerchantNow[];
  readonly more?: boolean;
}

/** The service refuses a day that has not begun by its own clock, and the reader's clock may be ahead. */
const CLOCK_AHEAD_MS = 60_000;

/** The beginning of the reader's day, in ms since 1970. A new day begins a minute late. */
export const dayOf = (now: number): number => midnight(now - CLOCK_AHEAD_MS);

/** One hour of the day in one currency. Amounts are in minor units. */
export interface Hour {
  /** When it begins, in ms since 1970. */
  readonly at: number;
  readonly bets: bigint;
  readonly ggr: bigint;
  /** The GGR of the same hour a week before. */
  readonly before: bigint;
  readonly state: "over" | "running" | "to come";
}

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

const ggrOf = ({ betsMinor, refundsMinor, winsMinor, rollbacksMinor }: HourFigures): bigint =>
  BigInt(betsMinor ?? 0) - BigInt(refundsMinor ?? 0) - BigInt(winsMinor ?? 0) + BigInt(rollbacksMinor ?? 0);

/** All hours of the reader's day, which has 23 to 25 of them. Hours without transactions have zeros. */
export function hoursOf(today: Today, currency: string): Hour[] {
  const [from, asOf] = [Date.parse(today.from), Date.parse(today.asOf)];
  // 36 hours after its beginning it is noon of the next day, whatever the clocks did.
  const end = midnight(from + 36 * HOUR_MS);
  const own = (figures: readonly HourFigures[] = []) =>
    new Map(figures.filter((one) => one.currency === currency).map((one) => [Date.parse(one.at), one]));
  const [hours, before] = [own(today.hours), own(today.weekBefore)];
  return Array.from({ length: Math.ceil((end - from) / HOUR_MS) }, (_, place) => {
    const at = from + place * HOUR_MS;
    const [hour, then] = [hours.get(at), before.get(at - WEEK_MS)];
    return {
      at,
      bets: BigInt(hour?.betCount ?? 0),
      ggr: hour === undefined ? 0n : ggrOf(hour),
      before: then === undefined ? 0n : ggrOf(then),
      state: at > asOf ? "to come" : at + HOUR_MS > asOf ? "running" : "over",
    };
  });
}

/** What one currency has earned today. Amounts are in minor units. */
export interface CurrencySums {
  readonly currency: string;
  readonly bets: bigint;
  readonly ggr: bigint;
  /** The GGR of the hours that are over. */
  readonly overGgr: bigint;
  /** The GGR of the same hours a week before. */
  readonly before: bigint;
}

export function currencySums(today: Today, currency: string): CurrencySums {
  const hours = hoursOf(today, currency);
  const over = hours.filter(({ state }) => state === "over");
  return {
    currency,
    bets: sum(hours.map(({ bets }) => bets)),
    ggr: sum(hours.map(({ ggr }) => ggr)),
    overGgr: sum(over.map(({ ggr }) => ggr)),
    before: sum(over.map(({ before }) => before)),
  };
}

/** The currencies of the merchants, by their codes. So a currency stays where it is while its figures change. */
export const currenciesOf = (today: Today): string[] =>
  [...new Set((today.merchants ?? []).map(({ currency }) => currency))].sort();

/**
 * The currency that the page shows first: the one with the most bets, then one with pending money, debts to players or
 * alerts, then the one of most merchants.
 *
 * @param alerted - the merchants of open alerts.
 */
export function firstCurrency(today: Today, alerted: ReadonlySet<string>): string {
  const { merchants = [] } = today;
  const ranked = currenciesOf(today).map((currency) => {
    const own = merchants.filter((one) => one.currency === currency);
    const hasTrouble = own.some(
      (one) => oldestOf(one) !== undefined || (one.owed?.count ?? 0) > 0 || alerted.has(one.merchant),
    );
    return { currency, ranks: [Number(currencySums(today, currency).bets), Number(hasTrouble), own.length] };
  });
  ranked.sort((a, b) => b.ranks.map((rank, i) => rank - (a.ranks[i] ?? 0)).find((more) => more !== 0) ?? 0);
  return ranked[0]?.currency ?? "";
}

/** The pending transactions of one currency, by minimum age. */
export function pendingOf(today: Today, currency: string): Required<PendingAge>[] {
  const own = (today.merchants ?? []).filter((one) => one.currency === currency).map(({ pending = [] }) => pending);
  return (own[0] ?? []).map(({ olderThanS = 0 }, i) => ({
    olderThanS,
    count: own.reduce((all, ages) => all + (ages[i]?.count ?? 0), 0),
    amountMinor: String(sum(own.map((ages) => BigInt(ages[i]?.amountMinor ?? 0)))),
  }));
}

/** The sums of the wins and refunds that players wait for, by currency. Currencies without such sums are left out. */
export const owedOf = (today: Today): { readonly currency: string; readonly minor: bigint }[] =>
  currenciesOf(today)
    .map((currency) => ({
      currency,
      minor: sum(
        (today.merchants ?? []).map((one) => (one.currency === currency ? BigInt(one.owed?.amountMinor ?? 0) : 0n)),
      ),
    }))
    .filter(({ minor }) => minor > 0n);

/** The greatest minimum age that a merchant's pending transactions have, in seconds; undefined: nothing is pending. */
export const oldestOf = ({ pending = [] }: MerchantNow): number | undefined =>
  pending.findLast(({ count = 0 }) => count > 0)?.olderThanS;

const isPendingLong = (one: MerchantNow): boolean => (oldestOf(one) ?? 0) >= STUCK_AFTER_S;

/**
 * Wallets in trouble first, the failing ones before the slow ones and those of which some calls fail; then merchants
 * with money that has been pending for an hour; then the others, by code.
 */
export const troubleFirst = (merchants: readonly MerchantNow[]): MerchantNow[] => {
  const rank = (one: MerchantNow): number => rankOf(one.walletVerdict) + (isPendingLong(one) ? 0 : 0.5);
  return [...merchants].sort((a, b) => rank(a) - rank(b) || (a.merchant < b.merchant ? -1 : 1));
};
