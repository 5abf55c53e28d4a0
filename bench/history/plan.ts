/**
 * What a history is made of: who transacts how much, when, and with which games. Pure, so the same plan gives the same
 * history.
 */

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** A history ends here and is so long. */
const LENGTH_DAYS = 365;
/** The busiest merchant has this share of all transactions, all of it in the last month. */
const BUSIEST_SHARE = 0.12;
export const MONTH_DAYS = 31;

export interface PlannedGame {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: string;
  /** As the games table numbers it. */
  readonly type: number;
}

export interface PlannedMerchant {
  readonly id: number;
  /** Expected transactions in an hour of average business. */
  readonly perHour: number;
  /** The first hour with any. */
  readonly from: number;
  readonly players: number;
}

export interface HistoryPlan {
  readonly seed: number;
  /** Both on the hour. */
  readonly from: number;
  readonly until: number;
  /** The first is the busiest. */
  readonly merchants: readonly PlannedMerchant[];
  readonly games: readonly PlannedGame[];
}

/** @param now - the history ends at the last full hour before. */
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
  // Merchants differ much: the second has some fifty times what the last has.
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

/** How busy an hour of the day (UTC) is beside the average: quiet in the morning, busy in the evening. */
export const busyness = (hour: number): number =>
  1 - 0.6 * Math.cos(((new Date(hour).getUTCHours() - 9) / 24) * 2 * Math.PI);
