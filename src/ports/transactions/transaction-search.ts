import type { TxId } from "../../domain/values/identifiers.ts";
import type { ListedTransaction } from "./transaction-reader.ts";

/** Finds transactions of many merchants. Void rows are never found. Throws StoreUnavailable. */
export abstract class TransactionSearch {
  /**
   * The transactions that match, in no order. For each merchant and each kind of match, it returns the newest rows, at
   * most `limit`. Each kind is read with an index.
   */
  abstract find(merchantIds: readonly number[], wanted: Wanted, limit: number): Promise<Match[]>;
}

/** The values that a transaction may match. An empty text matches nothing. */
export interface Wanted {
  readonly txIds: readonly TxId[];
  readonly roundId: string;
  readonly playerId: string;
}

export const MATCHES = ["tx_id", "round_id", "player_id"] as const;

export interface Match extends ListedTransaction {
  readonly matched: (typeof MATCHES)[number];
}
