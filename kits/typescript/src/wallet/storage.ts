/** The storage of a wallet's players and entries. */

export interface Player {
  /** In minor units. */
  readonly balance: bigint;
  /** The wallet rejects bets of a blocked player, but applies wins and refunds. */
  readonly blocked: boolean;
}

/** The result of a `tx_id`. Keep it for ever, or at least one month longer than a bet may stay open. */
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
  /** The transaction's refund or rollback came first. The transaction must never be applied. */
  | { readonly state: "tombstone"; readonly txId: string };

/** A merchant's players and entries inside one transaction. Ids are compared byte by byte. */
export interface Books {
  /** The callback's player; undefined: the merchant has no such player. */
  readonly player: Player | undefined;
  find(txId: string): Promise<Entry | undefined>;
  /** Whether an applied refund or rollback names this id as `refTxId`. */
  isReversed(txId: string): Promise<boolean>;
  /** Adds an entry. Its `txId` must be new. */
  add(entry: Entry): Promise<void>;
  setBalance(balance: bigint): Promise<void>;
}

export interface Storage {
  /**
   * Runs `work` in one transaction that locks the player. Meanwhile no other transaction with this player runs. When
   * `work` throws, nothing is stored. When another transaction stores the same id meanwhile, `work` runs again. So
   * `work` must only read and write the Books.
   */
  transaction<T>(merchant: string, playerId: string, work: (books: Books) => Promise<T>): Promise<T>;
}
