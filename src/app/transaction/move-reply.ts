import type { Answer } from "../../domain/transaction/transaction.ts";
import type { TxId } from "../../domain/values/identifiers.ts";

/**
 * The reply to a provider's request to move money, or to its balance query. `failed`: the wallet rejected the request.
 */
export interface MoveReply {
  readonly status: "success" | "pending" | "failed";
  /** The player's balance after the call, in minor units; null when it is not known. */
  readonly balanceMinor: bigint | null;
  /** The wallet's error code if the status is failed; else empty. */
  readonly error: string;
  /**
   * The transaction's id as merchants see it. Empty if there is no transaction (a balance query or an amount of zero).
   */
  readonly txId: TxId | "";
}

export function moveReplyOf(answer: Answer): MoveReply {
  return {
    status: answer.status,
    txId: answer.txId,
    balanceMinor: answer.status === "success" ? answer.balanceMinor : null,
    error: answer.status === "failed" ? answer.error : "",
  };
}
