import type { ItemName } from "../../../../contract/transactions/fields.ts";
import { shown } from "../../../domain/transaction/shown.ts";
import { carriedByName } from "../../../domain/values/carried.ts";
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
    ...more,
  } satisfies Record<ItemName, unknown>;
}

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
