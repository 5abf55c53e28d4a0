import { ok, type Result } from "../../domain/errors.ts";
import type { Action, DbTime } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { HourFigures, LiveFigures } from "../../ports/transactions/live-figures.ts";
import type { OpenSums, StuckMoney, StuckSum } from "../../ports/transactions/stuck-money.ts";
import { SPANS, together, type WalletSums } from "../../ports/transactions/wallet-minutes.ts";
import { refuseFaults } from "../admin/changes.ts";
import type { Settings } from "../runtime/settings.ts";
import type { WalletVerdict, WalletVerdicts } from "./wallet-verdict.ts";

const HOUR_MS = SPANS.hour;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** How long ago the day may have begun. A day has at most 25 hours, and a page may stay open over midnight. */
const BEGINS_WITHIN_MS = 48 * HOUR_MS;
/** The maximum of merchants whose wallets and pending money are shown. */
const MERCHANTS_MAX = 500;
const NONE: StuckSum = { count: 0, sumMinor: 0n };

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
  readonly pending: readonly StuckSum[];
  /** The wallet calls of the last minutes; undefined: there were no calls, and the breaker was closed. */
  readonly wallet: WalletSums | undefined;
  readonly verdict: WalletVerdict;
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
  readonly #stuck: Pick<StuckMoney, "open" | "sums">;
  readonly #verdicts: WalletVerdicts;
  readonly #settings: Settings;
  readonly #horizonMs: number;

  constructor(
    figures: LiveFigures,
    stuck: Pick<StuckMoney, "open" | "sums">,
    verdicts: WalletVerdicts,
    settings: Settings,
    { horizonMs }: { readonly horizonMs: number },
  ) {
    this.#figures = figures;
    this.#stuck = stuck;
    this.#verdicts = verdicts;
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
    const [hours, weekBefore, activity, running, wallets, open, failed] = await Promise.all([
      this.#figures.hours(merchants, from, hourOf(asOf) + HOUR_MS),
      this.#figures.hours(merchants, from - WEEK_MS, from - WEEK_MS + 24 * HOUR_MS),
      this.#figures.activity(ids, minute - SPANS.minute, minute),
      this.#figures.activity(ids, minute, asOf + 1),
      this.#verdicts.recent(ids, asOf),
      this.#stuck.open(ids, PENDING_AGES, this.#horizonMs),
      this.#stuck.sums(ids, [0], this.#horizonMs, ["owed"]),
    ]);
    const verdict = await this.#verdicts.judge(merchants, asOf, wallets, open);
    const [activities, opens, faileds] = [byMerchant(activity), byMerchant(open), byMerchant(failed)];
    const playing = new Set([...activity, ...running].map(({ merchantId }) => merchantId));
    return ok({
      asOf,
      from,
      hours: byHour(hours),
      weekBefore: byHour(weekBefore),
      merchants: merchants.map((merchant) => {
        const own = wallets.filter(({ merchantId }) => merchantId === merchant.id);
        const wallet = own.length === 0 ? undefined : own.reduce(together);
        return {
          merchant,
          bets: activities.get(merchant.id)?.bets ?? 0,
          players: activities.get(merchant.id)?.players ?? 0,
          pending: opens.get(merchant.id)?.ages ?? PENDING_AGES.map(() => NONE),
          wallet,
          verdict: verdict(merchant),
          walletCounting: wallet === undefined && playing.has(merchant.id),
          owed: owedOf(opens.get(merchant.id), faileds.get(merchant.id)?.ages[0]),
        };
      }),
      more: all.length > merchants.length,
    });
  }
}

/** @param failed - the failed credits, which the merchant owes to its players. */
function owedOf(open: OpenSums | undefined, failed: StuckSum = NONE): OwedMoney | undefined {
  // The first of the ages is 0, so these sums have all transactions.
  const { retrying = NONE, unanswered = NONE } = { retrying: open?.retrying[0], unanswered: open?.unanswered[0] };
  const pending = retrying.count + unanswered.count;
  const count = pending + failed.count;
  if (count === 0) return undefined;
  const sumMinor = retrying.sumMinor + unanswered.sumMinor + failed.sumMinor;
  return { count, sumMinor, needsPerson: unanswered.count + failed.count, pending };
}

const hourOf = (time: DbTime): DbTime => time - (time % HOUR_MS);

const byMerchant = <T extends { readonly merchantId: number }>(items: readonly T[]): ReadonlyMap<number, T> =>
  new Map(items.map((item) => [item.merchantId, item]));

function byHour(figures: readonly HourFigures[]): HourOf[] {
  const all = new Map<string, { hour: DbTime; currency: Currency; bets: number; sums: Record<Action, bigint> }>();
  for (const { currency, hour, action, count, sumMinor } of figures) {
    const key = `${hour}/${currency}`;
    const one = all.get(key) ?? { hour, currency, bets: 0, sums: { bet: 0n, win: 0n, refund: 0n, rollback: 0n } };
    all.set(key, one);
    one.sums[action] = sumMinor;
    if (action === "bet") one.bets = count;
  }
  return [...all.values()].sort((a, b) => a.hour - b.hour || (a.currency < b.currency ? -1 : 1));
}
