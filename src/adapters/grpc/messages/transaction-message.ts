import { shown } from "../../../domain/transaction/shown.ts";
import { carriedFields } from "../../../domain/values/carried.ts";
import type { ListedTransaction, LoggedAttempt } from "../../../ports/transactions/transaction-reader.ts";
import { labelFields } from "./labels.ts";
import { toTimestamp } from "./timestamp.ts";

/** The fields of a transaction that are the same in all packages of the API. */
export function toTransaction({ transaction: row, lastResult }: ListedTransaction) {
  const { error, balanceMinor, nextAttemptAt, resolvedBy } = shown(row);
  return {
    txId: row.txId,
    ...carriedFields(row),
    ...labelFields(row.labels),
    settledBy: row.settledBy ?? "",
    action: row.action,
    amountMinor: row.amountMinor,
    currency: row.currency,
    status: row.status,
    error: error ?? "",
    provider: row.game.provider,
    game: row.game.code,
    playerId: row.playerId,
    ...(balanceMinor !== null && { balanceMinor }),
    attempts: row.attempts,
    lastResult: lastResult ?? "",
    ...(nextAttemptAt !== null && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    resolvedBy: resolvedBy ?? "",
    createdAt: toTimestamp(row.createdAt),
    updatedAt: toTimestamp(row.updatedAt),
  };
}

/** One entry of a transaction's attempt log. */
export const toAttempt = ({ n, at, durationMs, httpStatus, result, requestId, replyStart, error }: LoggedAttempt) => ({
  n,
  at: toTimestamp(at),
  ...(durationMs !== null && { durationMs: Math.round(durationMs) }),
  ...(httpStatus !== null && { httpStatus }),
  result: result ?? "",
  requestId: requestId ?? "",
  replyStart: replyStart ?? "",
  error: error ?? "",
});
