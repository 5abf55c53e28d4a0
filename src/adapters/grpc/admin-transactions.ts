import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Support } from "../../app/admin/support.ts";
import type { Settings } from "../../app/settings.ts";
import { isInFlight, NEVER, type Transaction } from "../../domain/transaction.ts";
import type { TransactionAdminService } from "../../gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import type { AttemptSchema, TransactionSchema } from "../../gen/aggregator/admin/v1/transaction_pb.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ListedTransaction, LoggedAttempt } from "../../ports/transaction-reader.ts";
import type { AdminHandlers } from "./admin-service.ts";
import { unwrap } from "./refusal-error.ts";
import { fromTimestamp, toTimestamp } from "./timestamp.ts";

const DAY_MS = 86_400_000;

/** aggregator.admin.v1.TransactionAdminService. */
export function transactionHandlers(support: Support, settings: Settings, clock: Clock): AdminHandlers<typeof TransactionAdminService> {
  const toTransaction = (listed: ListedTransaction) => transactionOf(listed, settings.merchantById(listed.transaction.merchantId)?.code ?? "");
  return {
    async getTransaction(name, caller) {
      const found = unwrap(await support.get({ ...caller, reason: "" }, name));
      return { transaction: toTransaction(found), attemptLog: found.log.map(toAttempt) };
    },
    async listTransactions({ merchant, limit, cursor, from, to, ...wanted }, caller) {
      const until = fromTimestamp("to", to);
      const named = wanted.txId + wanted.roundId + wanted.refTxId + wanted.playerId !== "";
      const since = fromTimestamp("from", from) ?? (named ? undefined : (until ?? clock.now()) - DAY_MS);
      const query = { from: since, to: until, ...given(wanted) };
      const { items, nextCursor } = unwrap(await support.list({ ...caller, reason: "" }, merchant, query, { limit, cursor }));
      return { transactions: items.map(toTransaction), nextCursor };
    },
    async resendTransaction({ reason, ...name }, caller) {
      return { transaction: toTransaction(unwrap(await support.resend({ ...caller, reason }, name))) };
    },
    async resolveTransaction({ reason, status, ...name }, caller) {
      const { transaction, reversed } = unwrap(await support.resolve({ ...caller, reason }, name, status));
      return { transaction: toTransaction(transaction), ...(reversed && { reversed: toTransaction(reversed) }) };
    },
  };
}

type Words = "status" | "action" | "playerId" | "roundId" | "txId" | "refTxId" | "provider" | "game";

const given = ({ status, action, playerId, roundId, txId, refTxId, provider, game }: Readonly<Record<Words, string>>) => ({
  status: status || undefined,
  action: action || undefined,
  playerId: playerId || undefined,
  roundId: roundId || undefined,
  txId: txId || undefined,
  refTxId: refTxId || undefined,
  provider: provider || undefined,
  game: game || undefined,
});

function transactionOf({ transaction: row, lastResult }: ListedTransaction, merchant: string): MessageInitShape<typeof TransactionSchema> {
  return {
    merchant,
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
    ...balance(row),
    attempts: row.attempts,
    lastResult: lastResult ?? "",
    ...(row.nextAt === null || row.nextAt === NEVER ? {} : { nextAttemptAt: toTimestamp(row.nextAt) }),
    resolvedBy: row.resolvedBy ?? "",
    reversedBy: row.reversedBy ?? "",
    inFlight: isInFlight(row),
    createdAt: toTimestamp(row.createdAt),
    openedAt: toTimestamp(row.openedAt),
    updatedAt: toTimestamp(row.updatedAt),
  };
}

const balance = (row: Transaction) => (row.status === "success" && row.balanceMinor !== null ? { balanceMinor: row.balanceMinor } : {});

const toAttempt = ({ n, at, durationMs, httpStatus, result, requestId }: LoggedAttempt): MessageInitShape<typeof AttemptSchema> => ({
  n,
  at: toTimestamp(at),
  ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
  ...(httpStatus === null ? {} : { httpStatus }),
  result: result ?? "",
  requestId: requestId ?? "",
});
