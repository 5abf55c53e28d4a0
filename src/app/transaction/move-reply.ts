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
