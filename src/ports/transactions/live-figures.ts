import type { Action, DbTime } from "../../domain/transaction/transaction.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Merchant } from "../settings-store.ts";

/**
 * Figures of up to 500 merchants, for a page that people watch. Void rows are never counted. Throws StoreUnavailable.
 */
export abstract class LiveFigures {
  /**
   * The sums of the successful transactions by the currency of their merchant and the hour of their creation, in no
   * order. A transaction is in these sums about a second after its end, when it has got its change number.
   *
   * @param from, to - whole hours: the first that counts, and the first that no longer counts.
   */
  abstract hours(
    merchants: readonly Pick<Merchant, "id" | "currency">[],
    from: DbTime,
    to: DbTime,
  ): Promise<HourFigures[]>;

  /** The transactions created at or after `from` and before `to`. Merchants without transactions are left out. */
  abstract activity(merchantIds: readonly number[], from: DbTime, to: DbTime): Promise<Activity[]>;
}

export interface HourFigures {
  readonly currency: Currency;
  readonly hour: DbTime;
  readonly action: Action;
  readonly count: number;
  readonly sumMinor: bigint;
}

export interface Activity {
  readonly merchantId: number;
  readonly bets: number;
  /** The number of players with a transaction. */
  readonly players: number;
}
