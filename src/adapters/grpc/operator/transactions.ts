import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import type { ActionSums } from "../../../domain/transaction/round.ts";
import { formatInstant } from "../../../domain/values/instant.ts";
import type {
  RoundSumsSchema,
  TransactionService,
} from "../../../gen/aggregator/operator/v1/transaction_service_pb.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { isTime, toTimestamp } from "../messages/timestamp.ts";
import { toAttempt, toTransaction } from "../messages/transaction-message.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.operator.v1.TransactionService. */
export const operatorTransactions = (onBehalf: OnBehalf): AdminHandlers<typeof TransactionService> => ({
  async listTransactions(request, caller) {
    const { status, action, kind, playerId, roundId, txId, refTxId, provider, game, order, cursor } = request;
    const fields = withoutEmpty({
      from: timeText(request.from),
      to: timeText(request.to),
      updated_since: timeText(request.updatedSince),
      status,
      action,
      kind,
      player_id: playerId,
      round_id: roundId,
      tx_id: txId,
      ref_tx_id: refTxId,
      provider,
      game,
      order,
      limit: limitText(request.limit),
      cursor,
    });
    const { items, nextCursor, behindMs } = unwrap(
      await onBehalf.list({ ...caller, reason: "" }, request.merchant, fields),
    );
    return {
      transactions: items.map(toTransaction),
      nextCursor: nextCursor ?? "",
      ...(behindMs !== null && { behindMs: BigInt(Math.round(behindMs)) }),
    };
  },
  async getTransaction({ merchant, txId }, caller) {
    const found = unwrap(await onBehalf.show({ ...caller, reason: "" }, merchant, txId));
    return { transaction: toTransaction(found), attemptLog: found.log.map(toAttempt) };
  },
  async resendTransaction({ merchant, txId, reason }, caller) {
    return { transaction: toTransaction(unwrap(await onBehalf.resend({ ...caller, reason }, merchant, txId))) };
  },
  async getRound({ merchant, provider, roundId, limit, cursor }, caller) {
    const page = withoutEmpty({ limit: limitText(limit), cursor });
    const round = unwrap(await onBehalf.round({ ...caller, reason: "" }, merchant, { provider, roundId, ...page }));
    return {
      transactions: round.items.map(toTransaction),
      success: toSums(round.sums.success),
      pending: toSums(round.sums.pending),
      pendingCount: round.sums.pending.count,
      nextCursor: round.nextCursor ?? "",
      state: round.end.state,
      ...(round.end.state === "ended" && { endedAt: toTimestamp(round.end.endedAt) }),
    };
  },
});

/** Numbers and times in the form that the use case reads: as text. An empty text: the field is not set. */
const limitText = (value: number): string => (value === 0 ? "" : String(value));
const timeText = (value: Timestamp | undefined): string => {
  if (value === undefined) return "";
  const ms = timestampMs(value);
  // For any other time the use case refuses this text, together with the other wrong fields.
  return isTime(ms) ? formatInstant(ms) : String(ms);
};

const toSums = ({ bet, refund, win, rollback }: ActionSums): MessageInitShape<typeof RoundSumsSchema> => ({
  betsMinor: bet,
  refundsMinor: refund,
  winsMinor: win,
  rollbacksMinor: rollback,
});
