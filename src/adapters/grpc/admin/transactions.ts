import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Support } from "../../../app/admin/support.ts";
import type { CloseContradiction } from "../../../app/console/close-contradiction.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { isInFlight } from "../../../domain/transaction/transaction.ts";
import type { TransactionAdminService } from "../../../gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import type { TransactionSchema } from "../../../gen/aggregator/admin/v1/transaction_pb.ts";
import type { ListedTransaction } from "../../../ports/transactions/transaction-reader.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { toAttempt, toTransaction } from "../messages/transaction-message.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/** Converts a transaction to its message. */
export const transactionOf =
  (settings: Settings) =>
  (listed: ListedTransaction): MessageInitShape<typeof TransactionSchema> => ({
    merchant: settings.merchantById(listed.transaction.merchantId)?.code ?? "",
    ...toTransaction(listed),
    reversedBy: listed.transaction.reversedBy ?? "",
    inFlight: isInFlight(listed.transaction),
    openedAt: toTimestamp(listed.transaction.openedAt),
  });

/** Serves aggregator.admin.v1.TransactionAdminService. */
export function transactionHandlers(
  support: Support,
  contradictions: CloseContradiction,
  settings: Settings,
): AdminHandlers<typeof TransactionAdminService> {
  const toListed = transactionOf(settings);
  return {
    async getTransaction(name, caller) {
      const found = unwrap(await support.get({ ...caller, reason: "" }, name));
      return { transaction: toListed(found), attemptLog: found.log.map(toAttempt) };
    },
    async listTransactions({ merchant, limit, cursor, from, to, ...request }, caller) {
      const { status, action, kind, playerId, roundId, txId, refTxId, provider, game } = request;
      const filter = withoutEmpty({ status, action, kind, playerId, roundId, txId, refTxId, provider, game });
      const query = { from: fromTimestamp("from", from), to: fromTimestamp("to", to), ...filter };
      const { items, nextCursor } = unwrap(
        await support.list({ ...caller, reason: "" }, merchant, query, { limit, cursor }),
      );
      return { transactions: items.map(toListed), nextCursor };
    },
    async resendTransaction({ reason, ...name }, caller) {
      return { transaction: toListed(unwrap(await support.resend({ ...caller, reason }, name))) };
    },
    async resolveTransaction({ reason, status, ...name }, caller) {
      const { transaction, reversed } = unwrap(await support.resolve({ ...caller, reason }, name, status));
      return { transaction: toListed(transaction), ...(reversed && { reversed: toListed(reversed) }) };
    },
    async closeContradiction({ reason, evidence, ...name }, caller) {
      const closed = await contradictions.close({ ...caller, reason }, name, evidence);
      return { transaction: toListed(unwrap(closed)) };
    },
  };
}
