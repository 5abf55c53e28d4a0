/** Where a wallet keeps its books. */

export interface Player {
  /** In minor units. */
  readonly balance: bigint;
  /** A blocked player's bets are rejected; wins and refunds are not. */
  readonly blocked: boolean;
}

/** What became of a `tx_id`. It is kept for ever, or at least for a month longer than a bet may be open. */
export type Entry =
  | {
      readonly state: "applied";
      readonly txId: string;
      readonly action: "bet" | "win" | "refund" | "rollback";
      readonly playerId: string;
      readonly amount: bigint;
      /** The bet or win that a refund or rollback reversed. Unique for the merchant. */
      readonly refTxId: string | null;
      /** The balance after the transaction. */
      readonly balance: bigint;
    }
  | { readonly state: "rejected"; readonly txId: string; readonly error: string }
  /** A refund or rollback came for it before it came itself: it must not be applied any more. */
  | { readonly state: "tombstone"; readonly txId: string };

/** A merchant's books inside of one transaction. Ids are compared byte by byte. */
export interface Books {
  /** The callback's player; undefined: the merchant has no such player. */
  readonly player: Player | undefined;
  find(txId: string): Promise<Entry | undefined>;
  /** Whether an applied refund or rollback names this id as `refTxId`. */
  isReversed(txId: string): Promise<boolean>;
  /** There is no entry of this `txId` yet. */
  add(entry: Entry): Promise<void>;
  setBalance(balance: bigint): Promise<void>;
}

export interface Storage {
  /**
   * Runs `work` in one transaction that locks the player: no other transaction with this player runs meanwhile. When
   * `work` throws, nothing is kept. When another transaction has taken an id meanwhile, `work` runs again, so it must do
   * nothing but read and write the books.
   */
  transaction<T>(merchant: string, playerId: string, work: (books: Books) => Promise<T>): Promise<T>;
}
