import { ok, type Result } from "../../domain/errors.ts";
import { OWED_KINDS } from "../../domain/transaction/stuck.ts";
import type { Action, DbTime } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { HourFigures, LiveFigures, PendingFigures } from "../../ports/transactions/live-figures.ts";
import type { StuckMoney, StuckSums } from "../../ports/transactions/stuck-money.ts";
import { SPANS, together, type WalletMinutes, type WalletSums } from "../../ports/transactions/wallet-minutes.ts";
import { refuseFaults } from "../admin/changes.ts";
import type { Settings } from "../runtime/settings.ts";
import { walletState } from "./wallet-state.ts";

const HOUR_MS = SPANS.hour;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** How long ago the day may have begun. A day has at most 25 hours, and a page may stay open over midnight. */
const BEGINS_WITHIN_MS = 48 * HOUR_MS;
/** The maximum of merchants whose wallets and pending money are shown. */
const MERCHANTS_MAX = 500;
/** The time span for which the wallets' calls are counted. */
const WALLETS_MS = 5 * SPANS.minute;

/** The minimum ages of pending transactions, in ms. */
export const PENDING_AGES: readonly number[] = [
  0,
  SPANS.minute,
  10 * SPANS.minute,
  HOUR_MS,
  24 * HOUR_MS,
  72 * HOUR_MS,
];

/** The successful transactions of one currency in an hour. */
export interface HourOf {
  readonly hour: DbTime;
  readonly currency: Currency;
  readonly bets: number;
  readonly sums: Readonly<Record<Action, bigint>>;
}

/** The credits that players wait for. */
interface OwedMoney {
  readonly count: number;
  readonly sumMinor: bigint;
  /** How many of them the service does not send any more. */
  readonly needsPerson: number;
  /** How many of them are pending transactions, too. */
  readonly pending: number;
}

interface MerchantNow {
  readonly merchant: Merchant;
  /** The number of bets in the last whole minute. */
  readonly bets: number;
  readonly players: number;
  /** The pending transactions for each of {@link PENDING_AGES}. */
  readonly pending: PendingFigures["ages"];
  /** The wallet calls of the last minutes; undefined: there were no calls, and the breaker was closed. */
  readonly wallet: WalletSums | undefined;
  /** Whether the circuit breaker was open, or at least 5 % of the calls got no answer. */
  readonly walletInTrouble: boolean;
  /** Whether there were transactions, but the first minute of wallet calls is not over. */
  readonly walletCounting: boolean;
  /** undefined: there are none. */
  readonly owed: OwedMoney | undefined;
}

export interface Today {
  readonly asOf: DbTime;
  readonly from: DbTime;
  readonly hours: readonly HourOf[];
  /** The same hours a week earlier, up to the end of the day. */
  readonly weekBefore: readonly HourOf[];
  readonly merchants: readonly MerchantNow[];
  /** Whether there are more merchants than are shown. */
  readonly more: boolean;
}

/** Reads today's figures: revenue by hour, activity, pending money and wallets. */
export class ShowToday {
  readonly #figures: LiveFigures;
  readonly #minutes: WalletMinutes;
  readonly #stuck: Pick<StuckMoney, "sums">;
  readonly #settings: Settings;
  readonly #horizonMs: number;

  constructor(
    figures: LiveFigures,
    minutes: WalletMinutes,
    stuck: Pick<StuckMoney, "sums">,
    settings: Settings,
    { horizonMs }: { readonly horizonMs: number },
  ) {
    this.#figures = figures;
    this.#minutes = minutes;
    this.#stuck = stuck;
    this.#settings = settings;
    this.#horizonMs = horizonMs;
  }

  /**
   * The figures of a day up to now. Refusal: VALIDATION_ERROR (`from`). Throws StoreUnavailable.
   *
   * @param begin - when the day began; undefined: at midnight UTC.
   */
  async show(begin: DbTime | undefined): Promise<Result<Today>> {
    const asOf = this.#settings.databaseNow();
    if (begin !== undefined && !(begin <= asOf && begin > asOf - BEGINS_WITHIN_MS))
      return refuseFaults([fieldFault("from", "at most 48 hours ago")]);
    const from = hourOf(begin ?? asOf - (asOf % (24 * HOUR_MS)));
    const all = [...this.#settings.merchants()].sort((a, b) => (a.code < b.code ? -1 : 1));
    const merchants = all.slice(0, MERCHANTS_MAX);
    const ids = merchants.map(({ id }) => id);
    const minute = asOf - (asOf % SPANS.minute);
    const [hours, weekBefore, activity, running, pending, wallets, owed] = await Promise.all([
      this.#figures.hours(ids, from, hourOf(asOf) + HOUR_MS),
      this.#figures.hours(ids, from - WEEK_MS, from - WEEK_MS + 24 * HOUR_MS),
      this.#figures.activity(ids, minute - SPANS.minute, minute),
      this.#figures.activity(ids, minute, asOf + 1),
      this.#figures.pending(ids, PENDING_AGES),
      this.#minutes.read(ids, SPANS.minute, minute - WALLETS_MS, asOf),
      this.#stuck.sums(ids, [0], this.#horizonMs, OWED_KINDS),
    ]);
    const [activities, ages] = [byMerchant(activity), byMerchant(pending)];
    const playing = new Set([...activity, ...running].map(({ merchantId }) => merchantId));
    const currencies = new Map(merchants.map(({ id, currency }) => [id, currency]));
    return ok({
      asOf,
      from,
      hours: byCurrency(hours, currencies),
      weekBefore: byCurrency(weekBefore, currencies),
      merchants: merchants.map((merchant) => {
        const own = wallets.filter(({ merchantId }) => merchantId === merchant.id);
        const wallet = own.length === 0 ? undefined : own.reduce(together);
        return {
          merchant,
          bets: activities.get(merchant.id)?.bets ?? 0,
          players: activities.get(merchant.id)?.players ?? 0,
          pending: ages.get(merchant.id)?.ages ?? PENDING_AGES.map(() => ({ count: 0, sumMinor: 0n })),
          wallet,
          walletInTrouble: wallet !== undefined && walletState(wallet) === "failing",
          walletCounting: wallet === undefined && playing.has(merchant.id),
          owed: owedOf(owed.filter(({ merchantId }) => merchantId === merchant.id)),
        };
      }),
      more: all.length > merchants.length,
    });
  }
}

function owedOf(sums: readonly StuckSums[]): OwedMoney | undefined {
  if (sums.length === 0) return undefined;
  const sum = (some: readonly StuckSums[]) => some.reduce((all, { ages }) => all + (ages[0]?.count ?? 0), 0);
  return {
    count: sum(sums),
    sumMinor: sums.reduce((all, { ages }) => all + (ages[0]?.sumMinor ?? 0n), 0n),
    needsPerson: sum(sums.filter(({ kind }) => kind !== "retrying")),
    pending: sum(sums.filter(({ kind }) => kind !== "owed")),
  };
}

const hourOf = (time: DbTime): DbTime => time - (time % HOUR_MS);

const byMerchant = <T extends { readonly merchantId: number }>(items: readonly T[]): ReadonlyMap<number, T> =>
  new Map(items.map((item) => [item.merchantId, item]));

function byCurrency(figures: readonly HourFigures[], currencies: ReadonlyMap<number, Currency>): HourOf[] {
  const all = new Map<string, { hour: DbTime; currency: Currency; bets: number; sums: Record<Action, bigint> }>();
  for (const { merchantId, hour, action, count, sumMinor } of figures) {
    const currency = currencies.get(merchantId) as Currency;
    const key = `${hour}/${currency}`;
    const one = all.get(key) ?? { hour, currency, bets: 0, sums: { bet: 0n, win: 0n, refund: 0n, rollback: 0n } };
    all.set(key, one);
    one.sums[action] += sumMinor;
    if (action === "bet") one.bets += count;
  }
  return [...all.values()].sort((a, b) => a.hour - b.hour || (a.currency < b.currency ? -1 : 1));
}
