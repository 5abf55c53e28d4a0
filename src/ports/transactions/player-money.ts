import type { PlayerId } from "../../domain/values/identifiers.ts";
import type { ListedTransaction } from "./transaction-reader.ts";

/** The maximum of a player's transactions that are looked at, the newest ones. */
export const PLAYER_EXAMINED_MAX = 2_000;

/** Reads what may be wrong with one player's money. Throws StoreUnavailable. */
export abstract class PlayerMoney {
  /** Looks at the player's newest transactions, at most {@link PLAYER_EXAMINED_MAX}. */
  abstract find(merchantId: number, playerId: PlayerId): Promise<PlayerFindings>;
}

/**
 * Why a transaction is not in order. `owed`: a win or refund failed, so the merchant owes it. `pending`: it has no final
 * answer, and its first call has ended. `contradiction`: the wallet contradicted itself about it in the last 90 days.
 */
export type TroubleKind = "owed" | "pending" | "contradiction";

export interface PlayerFindings {
  /** The newest first, a few hundred at most. A transaction may be here twice: it may be a contradiction, too. */
  readonly troubles: readonly (ListedTransaction & { readonly kind: TroubleKind })[];
  /**
   * The accepted transaction that changed last and whose reply had a balance; undefined: there is none. Transactions
   * that were reversed do not count, because they changed again without a newer balance.
   */
  readonly last: ListedTransaction | undefined;
  /** Whether there may be more troubles: older transactions were not looked at, or there are too many to list. */
  readonly more: boolean;
}
