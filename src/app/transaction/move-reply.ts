import type { TxId } from "../../domain/values/identifiers.ts";

/** The reply to a provider's request: to move money, or for a balance. `failed`: the wallet rejected it. */
export interface MoveReply {
  readonly status: "success" | "pending" | "failed";
  /** The player's balance after the call, in minor units; null when it is not known. */
  readonly balanceMinor: bigint | null;
  /** The wallet's error code when failed, else empty. */
  readonly error: string;
  /** The wire id; empty when there is no transaction (a balance query or a zero amount). */
  readonly txId: TxId | "";
}
