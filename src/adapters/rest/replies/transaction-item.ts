import type { ItemName } from "../../../../contract/transactions/fields.ts";
import type { CsvCell } from "../../../../web-files/csv.ts";
import { shown } from "../../../domain/transaction/shown.ts";
import { carriedByName } from "../../../domain/values/carried.ts";
import type { Labels } from "../../../domain/values/labels.ts";
import type { ListedTransaction, LoggedAttempt } from "../../../ports/transactions/transaction-reader.ts";
import { decimal } from "./decimal.ts";

/** A transaction in the API's form. */
export function transactionItem({ transaction: row, lastResult }: ListedTransaction) {
  const { error, balanceMinor, nextAttemptAt, resolvedBy } = shown(row);
  const { round_id, ref_tx_id, ...more } = carriedByName(row);
  return {
    tx_id: row.txId as string,
    round_id,
    ref_tx_id,
    action: row.action,
    amount: decimal(row.amountMinor, row.currency),
    currency: row.currency,
    status: row.status,
    error,
    provider: row.game.provider as string,
    game: row.game.code,
    player_id: row.playerId as string,
    balance: balanceMinor === null ? null : decimal(balanceMinor, row.currency),
    attempts: row.attempts,
    last_result: lastResult,
    next_attempt_at: nextAttemptAt === null ? null : timeText(nextAttemptAt),
    resolved_by: resolvedBy as string | null,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    kind: row.labels?.kind ?? null,
    promo_id: row.labels?.promoId ?? null,
    jackpot: jackpotOf(row.labels),
    jackpot_contribution_micros: microsOf(row.labels),
    settled_by: row.settledBy as string | null,
    ...more,
  } satisfies Record<ItemName, unknown>;
}

const microsOf = (labels: Labels | undefined): number | null =>
  labels == null || labels.jackpotMicros === null ? null : Number(labels.jackpotMicros);

const jackpotOf = (labels: Labels | undefined) =>
  labels == null || labels.jackpotId === null ? null : { id: labels.jackpotId, tier: labels.jackpotTier };

/** A transaction as cells of CSV. */
export const itemCells = (listed: ListedTransaction): CsvCell[] => {
  const item = transactionItem(listed);
  return Object.values({ ...item, jackpot: item.jackpot && JSON.stringify(item.jackpot) });
};

export const attemptItem = ({
  n,
  at,
  durationMs,
  httpStatus,
  result,
  requestId,
  replyStart,
  error,
}: LoggedAttempt) => ({
  n,
  at: timeText(at),
  duration_ms: durationMs === null ? null : Math.round(durationMs),
  http_status: httpStatus,
  result,
  request_id: requestId,
  reply_start: replyStart ?? null,
  error: error ?? null,
});

const timeText = (ms: number): string => new Date(ms).toISOString();
