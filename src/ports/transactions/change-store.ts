import type { Kind } from "../../../contract/transactions/kinds.ts";
import type { Action, DbTime, Status } from "../../domain/transaction/transaction.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";

/**
 * Numbers the changes of rows, and adds up the sums by hour. A background worker does this for some merchants at a time.
 * If workers of several replicas number the same rows, one succeeds and the others write nothing. A row gets a new
 * number after each change of its state, so a reader that follows the numbers misses nothing.
 */
export abstract class ChangeStore {
  /**
   * Returns the merchants of `merchantIds` that have rows for {@link unnumbered}, in any order. The cost depends on the
   * number of merchants, and hardly on the number of rows. Throws StoreUnavailable.
   */
  abstract waiting(merchantIds: readonly number[]): Promise<number[]>;

  /**
   * The rows of these merchants without a number and without a live lease, at most `limit` of each merchant. Merchants
   * without such rows are absent. Throws StoreUnavailable.
   *
   * @param providerIds - the providers whose rows get {@link UnnumberedRow.round}; absent: none.
   */
  abstract unnumbered(
    merchantIds: readonly number[],
    limit: number,
    providerIds?: readonly number[],
  ): Promise<Unnumbered[]>;

  /**
   * Leaves out the rows, and the merchants, that another session has locked at this moment. Waits for no lock. A store
   * whose statements run one after the other has no such rows. Throws StoreUnavailable.
   */
  async unlocked(found: readonly Unnumbered[]): Promise<Unnumbered[]> {
    return [...found];
  }

  /**
   * Numbers the rows of some merchants, each merchant at most once. Adds the sums, sets the due times and notes stuck
   * money, rounds and kinds in the same database transaction. It applies only if each merchant's last number is still `seq` and no row has
   * changed since it was read. `false`: nothing was written, for no merchant. Throws StoreUnavailable.
   */
  abstract number(numberings: readonly Numbering[]): Promise<boolean>;

  /**
   * Adds to the sums and the list of kinds some changes of one merchant that a replica of an older release numbered. A
   * store that no older release has written to has no such changes. Throws StoreUnavailable.
   *
   * @returns whether more may be left.
   */
  async catchUp(): Promise<boolean> {
    return false;
  }
}

/** The rows of a merchant that wait for a number, oldest first, and the merchant's last number (0: it has none yet). */
export interface Unnumbered {
  readonly merchantId: number;
  readonly seq: bigint;
  readonly rows: readonly UnnumberedRow[];
}

/** The rows of a merchant in the order of their numbers. The first row gets the number after `seq`. */
export interface Numbering {
  readonly merchantId: number;
  readonly seq: bigint;
  /** At least one line. */
  readonly lines: readonly NumberLine[];
  /** The sums that the rows add to the merchant's sums. */
  readonly sums: readonly HourSum[];
  /** The rounds of the rows, each once. */
  readonly rounds: readonly SeenRound[];
}

export interface UnnumberedRow {
  readonly id: bigint;
  readonly status: Status;
  readonly action: Action;
  readonly amountMinor: bigint;
  readonly kind: Kind | null;
  readonly createdAt: DbTime;
  readonly gameId: number;
  /** Whether the wallet refused the transaction, now or before. */
  readonly refused: boolean;
  /** Whether something else than its first call ended the transaction. */
  readonly endedLater: boolean;
  /** Whether the row's process died: the row is pending, its lease has expired, and it has no due time yet. */
  readonly orphaned: boolean;
  /** The row's round; undefined: its provider ends no rounds. */
  readonly round?: { readonly providerId: number; readonly roundId: string; readonly ended: boolean };
  /** When the row was read. */
  readonly readAt: DbTime;
}

/** What some rows of a merchant show of a round. */
export interface SeenRound {
  readonly providerId: number;
  readonly roundId: string;
  /** When the first of these rows was created. */
  readonly openedAt: WholeMs;
  /** Whether one of these rows has ended the round. */
  readonly ended: boolean;
}

export interface NumberLine {
  readonly id: bigint;
  readonly seen: Status;
  /** Whether the row has a kind; absent: it has none. */
  readonly hasKind?: true;
  /** The due time that an orphaned row gets; undefined: the row's due time stays. */
  readonly nextAt?: WholeMs;
  /** See {@link stuckChange}; undefined: the row is not stuck money and never was. */
  readonly stuck?: "check" | "over";
}

/** Transactions that became a success. Their count and amounts are added to the sums of one hour, game, action and kind. */
export interface HourSum {
  /** Start of the hour (UTC) in which the transactions were created. */
  readonly hour: WholeMs;
  readonly gameId: number;
  readonly action: Action;
  readonly kind: Kind | null;
  readonly count: number;
  readonly sumMinor: bigint;
}
