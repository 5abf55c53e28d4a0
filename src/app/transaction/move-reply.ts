import type { Answer } from "../../domain/transaction/transaction.ts";
import type { TxId } from "../../domain/values/identifiers.ts";

/**
 * The reply to a provider's request to move money, or to its balance query. `failed`: the wallet rejected the request.
 */
export interface MoveReply {
  readonly status: "success" | "pending" | "failed";
  /** The player's balance after the call, in minor units; null when it is not known. */
  readonly balanceMinor: bigint | null;
  /** The player's balance before the call, in minor units; null or absent: it is not known. */
  readonly balanceBeforeMinor?: bigint | null;
  /** The wallet's error code if the status is failed; else empty. */
  readonly error: string;
  /**
   * The transaction's id as merchants see it. Empty if there is no transaction (a balance query or an amount of zero).
   */
  readonly txId: TxId | "";
  /** true: the result was stored before the call. */
  readonly replayed?: boolean;
}

export function moveReplyOf(answer: Answer): MoveReply {
  const { status, txId } = answer;
  if (status === "pending") return { status, txId, balanceMinor: null, error: "" };
  const replayed = answer.replayed === true;
  const balanceMinor = answer.balanceMinor ?? null;
  // A rejection moves no money, so its balance is also the balance before.
  return status === "failed"
    ? { status, txId, balanceMinor, balanceBeforeMinor: balanceMinor, error: answer.error, replayed }
    : { status, txId, balanceMinor, balanceBeforeMinor: answer.balanceBeforeMinor ?? null, error: "", replayed };
}
