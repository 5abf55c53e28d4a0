import type { MoveReply } from "../../../app/transaction/move-reply.ts";
import { TransactionStatus } from "../../../gen/aggregator/provider/v1/transaction_status_pb.ts";

export const STATUS = {
  success: TransactionStatus.SUCCESS,
  pending: TransactionStatus.PENDING,
  failed: TransactionStatus.FAILED,
} as const satisfies Record<MoveReply["status"], TransactionStatus>;

/** The field of a balance; no field if it is not known. */
export const withBalance = (balanceMinor: bigint | null) => (balanceMinor === null ? {} : { balanceMinor });
