import type { DbTime } from "../../domain/transaction/transaction.ts";

/** A round of a provider at one merchant. */
export interface RoundKey {
  readonly merchantId: number;
  /** The provider's row number. */
  readonly providerId: number;
  readonly roundId: string;
}

export interface EndLine extends RoundKey {
  /** When the round's first known bet was created; null: none is known. */
  readonly openedAt: DbTime | null;
}

/** A round whose provider ends its rounds. */
export interface StoredRound {
  readonly openedAt: DbTime;
  /** null: it is open. */
  readonly endedAt: DbTime | null;
}

/** A position in a list of rounds: the next page begins after it. */
export interface RoundPosition {
  /** The time by which the list is ordered: `endedAt` of ended rounds, `openedAt` of open ones. */
  readonly at: DbTime;
  readonly openedAt: DbTime;
  readonly providerId: number;
  readonly roundId: string;
}

export interface RoundListQuery {
  readonly merchantId: number;
  readonly state: "open" | "ended";
  /** Only rounds that were opened before this time; undefined: all. */
  readonly openedBefore?: DbTime | undefined;
  /** Only rounds that ended at this time or later; undefined: all. It has a meaning only for ended rounds. */
  readonly endedSince?: DbTime | undefined;
  readonly after?: RoundPosition | undefined;
}

export interface ListedRound extends StoredRound {
  readonly providerId: number;
  readonly roundId: string;
}

/**
 * The rounds of providers that end their rounds. {@link ChangeStore.number} writes the open ones. Every method throws
 * StoreUnavailable when the database cannot serve.
 */
export abstract class RoundStore {
  /**
   * Ends rounds, also rounds that are not stored. The time of the first end stays. So a repeat of a line changes
   * nothing. No two lines are of the same round. It is one autocommit statement.
   */
  abstract end(lines: readonly EndLine[]): Promise<void>;

  /** The round as it is now; undefined: it is not stored. The read sees every acknowledged write. */
  abstract read(key: RoundKey): Promise<StoredRound | undefined>;

  /** At most `limit` rounds: open ones in the order of their beginning, ended ones in the order of their end. */
  abstract list(query: RoundListQuery, limit: number): Promise<ListedRound[]>;
}
