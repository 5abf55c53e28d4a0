import type { Action, DbTime, Status } from "../../domain/transaction/transaction.ts";

/**
 * Numbers the changes of rows, and adds up the sums by hour. One background worker per merchant does it; when several
 * compete, the losers write nothing. A row gets a new number after each change of its state, so a reader that follows
 * the numbers misses nothing.
 */
export abstract class ChangeStore {
  /**
   * Those of these merchants that have rows for {@link unnumbered}, in any order. The cost depends on the number of
   * merchants, hardly on the number of rows. Throws StoreUnavailable.
   */
  abstract waiting(merchantIds: readonly number[]): Promise<number[]>;

  /**
   * The merchant's last number, and its rows without a number and without a live lease, oldest first, at most `limit`.
   */
  abstract unnumbered(
    merchantId: number,
    limit: number,
  ): Promise<{ readonly seq: bigint; readonly rows: readonly UnnumberedRow[] }>;

  /**
   * Gives the rows the numbers after `seq` in the order of their lines, adds the sums and sets the due times, in one
   * database transaction. Applies only while the merchant's last number is `seq` and every row is as it was seen.
   * `false`: nothing was written.
   */
  abstract number(
    merchantId: number,
    seq: bigint,
    lines: readonly NumberLine[],
    sums: readonly HourSum[],
  ): Promise<boolean>;
}

export interface UnnumberedRow {
  readonly id: bigint;
  readonly status: Status;
  readonly action: Action;
  readonly amountMinor: bigint;
  readonly createdAt: DbTime;
  readonly gameId: number;
  /** The row's process died: it is pending, its lease has expired, and it has no due time yet. */
  readonly orphaned: boolean;
  /** When the row was read. */
  readonly readAt: DbTime;
}

export interface NumberLine {
  readonly id: bigint;
  readonly seen: Status;
  /** The due time that an orphaned row gets; undefined: the row's due time stays. */
  readonly nextAt?: DbTime;
}

/**
 * What to add to the sums of one hour, game and action: transactions that became a success. The store adds them up by
 * provider and type.
 */
export interface HourSum {
  /** Start of the hour (UTC) in which the transactions were created. */
  readonly hour: DbTime;
  readonly gameId: number;
  readonly action: Action;
  readonly count: number;
  readonly sumMinor: bigint;
}
