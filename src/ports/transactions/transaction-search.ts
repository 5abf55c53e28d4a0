import type { TxId } from "../../domain/values/identifiers.ts";
import type { ListedTransaction } from "./transaction-reader.ts";

/** Finds transactions of many merchants. Void rows are never found. Throws StoreUnavailable. */
export abstract class TransactionSearch {
  /**
   * The transactions that match, in no order. For each merchant and each kind of match, it returns the newest rows, at
   * most `limit`. Each kind is read with an index.
   */
  abstract find(merchantIds: readonly number[], wanted: Wanted, limit: number): Promise<Match[]>;

  /**
   * Different ids, rounds and players that begin with one of the texts, about `limit` of them. Each is read by one step
   * into an index, so that a player with a million transactions costs no more than another.
   */
  abstract beginningWith(
    merchantIds: readonly number[],
    starts: Readonly<Record<Matched, readonly string[]>>,
    limit: number,
  ): Promise<Beginning[]>;
}

/** The values that a transaction may match. An empty text matches nothing. */
export interface Wanted {
  readonly txIds: readonly TxId[];
  readonly roundId: string;
  readonly playerId: string;
}

export const MATCHES = ["tx_id", "round_id", "player_id"] as const;

export type Matched = (typeof MATCHES)[number];

export interface Match extends ListedTransaction {
  readonly matched: Matched;
}

/** A value of the field `matched` in a merchant's transactions. */
export interface Beginning {
  readonly matched: Matched;
  readonly merchantId: number;
  readonly value: string;
}
