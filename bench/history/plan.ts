/**
 * The plan of a history: the merchants, their numbers of transactions, the times and the games. The code is pure, so
 * the same plan gives the same history.
 */

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** The length of a history. */
const LENGTH_DAYS = 365;
/** The busiest merchant's share of all transactions. All its transactions are in the last month. */
const BUSIEST_SHARE = 0.12;
export const MONTH_DAYS = 31;

export interface PlannedGame {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: string;
  /** The type's number in the games table. */
  readonly type: number;
}

export interface PlannedMerchant {
  readonly id: number;
  /** Expected transactions in an hour of average traffic. */
  readonly perHour: number;
  /** The merchant's first hour with transactions. */
  readonly from: number;
  readonly players: number;
}

export interface HistoryPlan {
  readonly seed: number;
  /** Full hours. */
  readonly from: number;
  readonly until: number;
  /** The first merchant is the busiest. */
  readonly merchants: readonly PlannedMerchant[];
  readonly games: readonly PlannedGame[];
}

/** @param now - the history ends at the last full hour before this time. */
export function planHistory(
  transactions: number,
  merchantIds: readonly number[],
  games: readonly PlannedGame[],
  now: number,
  seed: number,
): HistoryPlan {
  const until = Math.floor(now / HOUR_MS) * HOUR_MS;
  const from = until - LENGTH_DAYS * DAY_MS;
  const [busiest = 0, ...others] = merchantIds;
  const month = MONTH_DAYS * 24;
  // Merchants differ much: the second merchant has about fifty times as many transactions as the last.
  const weights = others.map((_, rank) => 1 / (rank + 4));
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const rest = transactions * (1 - BUSIEST_SHARE);
  const planned = (id: number, count: number, hours: number): PlannedMerchant => ({
    id,
    perHour: count / hours,
    from: until - hours * HOUR_MS,
    players: Math.max(10, Math.round(count / 60)),
  });
  return {
    seed,
    from,
    until,
    games,
    merchants: [
      planned(busiest, transactions * BUSIEST_SHARE, month),
      ...others.map((id, rank) => planned(id, (rest * (weights[rank] ?? 0)) / weight, LENGTH_DAYS * 24)),
    ],
  };
}

/** The traffic of an hour of the day (UTC) relative to the average: low in the morning, high in the evening. */
export const busyness = (hour: number): number =>
  1 - 0.6 * Math.cos(((new Date(hour).getUTCHours() - 9) / 24) * 2 * Math.PI);
