import { NEVER } from "../../../domain/transaction/transaction.ts";
import type { ListedTransaction, LoggedAttempt } from "../../../ports/transactions/transaction-reader.ts";
import { toTimestamp } from "./timestamp.ts";

/** The fields of a transaction that are the same in all packages of the API. */
export const toTransaction = ({ transaction: row, lastResult }: ListedTransaction) => ({
  txId: row.txId,
  roundId: row.roundId,
  refTxId: row.refTxId ?? "",
  action: row.action,
  amountMinor: row.amountMinor,
  currency: row.currency,
  status: row.status,
  error: row.status === "failed" ? row.error : "",
  provider: row.game.provider,
  game: row.game.code,
  playerId: row.playerId,
  ...(row.status === "success" && row.balanceMinor !== null && { balanceMinor: row.balanceMinor }),
  attempts: row.attempts,
  lastResult: lastResult ?? "",
  ...(row.nextAt !== null && row.nextAt !== NEVER && { nextAttemptAt: toTimestamp(row.nextAt) }),
  resolvedBy: row.resolvedBy ?? "",
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
});

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
