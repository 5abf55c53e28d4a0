import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { TxId } from "../../domain/values/identifiers.ts";
import type { ListedTransaction, ListPosition } from "./transaction-reader.ts";

/**
 * Transactions as their provider asks for them. Every read sees every acknowledged write. Throws StoreUnavailable when
 * the database cannot serve.
 */
export abstract class ProviderRecords {
  /** The rows that have this id at these merchants, also void rows, in no order. */
  abstract transactions(merchantIds: readonly number[], txId: TxId): Promise<RecordedTransaction[]>;

  /** Those of these merchants that have rows of the round, in no order. */
  abstract merchantsOfRound(merchantIds: readonly number[], round: RoundName): Promise<MerchantOfRound[]>;

  /** The round's transactions at one merchant, without void rows, oldest first, at most `limit`. */
  abstract round(
    merchantId: number,
    round: RoundName,
    after: ListPosition | undefined,
    limit: number,
  ): Promise<RecordedTransaction[]>;
}

/** A round of a provider. Rounds of several merchants may have the same name. */
export interface RoundName {
  /** The provider's row number. */
  readonly providerId: number;
  readonly roundId: string;
}

export interface MerchantOfRound {
  readonly merchantId: number;
  /** Whether the round has a transaction. Else it has only originals that never came, and whose reversals came. */
  readonly hasTransactions: boolean;
  /** When its first bet that was not rejected was created; null: it has none. */
  readonly openedAt: DbTime | null;
}

export interface RecordedTransaction extends Pick<ListedTransaction, "id" | "transaction"> {
  /** The reference that providers get for the transaction's player. */
  readonly playerRef: string;
}
