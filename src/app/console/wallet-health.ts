import { ok, type Result } from "../../domain/errors.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import {
  SPANS,
  type Span,
  together,
  WALLET_MINUTES_MS,
  type WalletMinutes,
  type WalletSums,
} from "../../ports/transactions/wallet-minutes.ts";
import { refuseFaults } from "../admin/changes.ts";
import { findMerchant } from "../admin/find-merchant.ts";
import { type Page, type PageRequest, pageOf } from "../admin/page.ts";
import type { Settings } from "../runtime/settings.ts";
import type { WalletVerdict, WalletVerdicts } from "./wallet-verdict.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The maximum of merchants in one page of the grid. Each may have 60 minutes or 168 hours on each replica. */
const GRID_MAX = 100;

/** The requested time. undefined: the last hour. */
export interface Range {
  readonly from: DbTime | undefined;
  readonly to: DbTime | undefined;
}

interface Times {
  readonly from: DbTime;
  readonly to: DbTime;
}

export interface HealthSeries extends Times {
  /** The length of each point, in ms. */
  readonly stepMs: number;
  /** The points in the order of time. Points without calls and with a closed breaker are left out. */
  readonly points: readonly WalletSums[];
  /** The sum of all points; undefined: there are none. */
  readonly total: WalletSums | undefined;
  /** How the wallet is now, whatever the requested time. */
  readonly verdict: WalletVerdict;
}

export interface HealthGrid extends Times, Page<HealthRow> {}

interface HealthRow {
  readonly merchant: string;
  /** The sum of the merchant's calls; undefined: there were no calls, and the breaker was closed. */
  readonly total: WalletSums | undefined;
  /** As in {@link HealthSeries}. */
  readonly verdict: WalletVerdict;
}

/** Shows how merchants' wallets answer, from the sums of all replicas. */
export class WalletHealth {
  readonly #minutes: WalletMinutes;
  readonly #verdicts: WalletVerdicts;
  readonly #settings: Settings;

  constructor(minutes: WalletMinutes, verdicts: WalletVerdicts, settings: Settings) {
    this.#minutes = minutes;
    this.#verdicts = verdicts;
    this.#settings = settings;
  }

  /**
   * Shows one merchant's wallet over time. Up to 3 hours the points are minutes, up to a day 10 minutes, and for longer
   * times hours. Refusals: VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`). Throws StoreUnavailable.
   */
  async series(code: string, range: Range): Promise<Result<HealthSeries>> {
    const merchant = await findMerchant(this.#settings, code);
    if (!merchant.ok) return merchant;
    const asked = this.#read(range);
    if (!asked.ok) return asked;
    const lengthMs = asked.value.to - asked.value.from;
    const span = lengthMs <= DAY_MS ? SPANS.minute : SPANS.hour;
    const stepMs = lengthMs <= 3 * HOUR_MS ? SPANS.minute : lengthMs <= DAY_MS ? 10 * SPANS.minute : SPANS.hour;
    const times = rounded(asked.value, stepMs);
    const sums = await this.#minutes.read([merchant.value.id], span, times.from, times.to);
    const points = inSteps(sums, stepMs);
    const verdict = await this.#verdicts.of([merchant.value], this.#settings.databaseNow());
    return ok({ ...times, stepMs, points, total: totalOf(points), verdict: verdict(merchant.value) });
  }

  /**
   * Shows the wallets of all merchants, ordered by code. Up to an hour the bounds are whole minutes, for longer times
   * whole hours. Refusal: VALIDATION_ERROR. Throws StoreUnavailable.
   */
  async grid(range: Range, request: PageRequest): Promise<Result<HealthGrid>> {
    if (request.limit > GRID_MAX) return refuseFaults([fieldFault("limit", `1 to ${GRID_MAX}`)]);
    const asked = this.#read(range);
    if (!asked.ok) return asked;
    const span: Span = asked.value.to - asked.value.from <= HOUR_MS ? SPANS.minute : SPANS.hour;
    const times = rounded(asked.value, span);
    const page = pageOf("wallet health", this.#settings.merchants(), ({ code }) => [code], request);
    if (!page.ok) return page;
    const { items, nextCursor } = page.value;
    const sums = await this.#minutes.read(
      items.map(({ id }) => id),
      span,
      times.from,
      times.to,
    );
    const byMerchant = Map.groupBy(sums, ({ merchantId }) => merchantId);
    const verdict = await this.#verdicts.of(items, this.#settings.databaseNow());
    const rows = items.map((merchant) => ({
      merchant: merchant.code,
      total: totalOf(byMerchant.get(merchant.id) ?? []),
      verdict: verdict(merchant),
    }));
    return ok({ ...times, items: rows, nextCursor });
  }

  #read({ from, to }: Range): Result<Times> {
    const now = this.#settings.databaseNow();
    const end = to ?? now;
    const begin = from ?? end - HOUR_MS;
    const lengthMs = end - begin;
    return lengthMs >= SPANS.minute && lengthMs <= WALLET_MINUTES_MS
      ? ok({ from: begin, to: end })
      : refuseFaults([fieldFault("from", "1 minute to 7 days before to")]);
  }
}

/** The bounds, extended to whole steps. */
const rounded = ({ from, to }: Times, stepMs: number): Times => ({
  from: Math.floor(from / stepMs) * stepMs,
  to: Math.ceil(to / stepMs) * stepMs,
});

function inSteps(sums: readonly WalletSums[], stepMs: number): WalletSums[] {
  const points: WalletSums[] = [];
  for (const one of sums) {
    const at = Math.floor(one.at / stepMs) * stepMs;
    const last = points.at(-1);
    if (last?.at === at) points[points.length - 1] = together(last, one);
    else points.push({ ...one, at: wholeMs(at) });
  }
  return points;
}

const totalOf = (sums: readonly WalletSums[]): WalletSums | undefined =>
  sums.length === 0 ? undefined : sums.reduce(together);
