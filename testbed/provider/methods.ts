import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";

/**
 * The rpc of each action. The four requests differ in one field: a reversal names its original, and a bet has no
 * player.
 */
export const METHODS = {
  bet: WalletService.method.placeBet,
  win: WalletService.method.payWin,
  refund: WalletService.method.refundBet,
  rollback: WalletService.method.rollbackWin,
} as const;

/** A reply's status as a word. */
export const statusText = (status: TransactionStatus): "success" | "pending" | "failed" => {
  if (status === TransactionStatus.SUCCESS) return "success";
  return status === TransactionStatus.PENDING ? "pending" : "failed";
};
