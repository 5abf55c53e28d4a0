import type { Action, DbTime, Status } from "../../domain/transaction/transaction.ts";

/**
 * The order of changes and the sums that follow it, written by one background worker per merchant (any number may compete: losing is
 * harmless). A row is numbered after each change of its state, so a reader that follows the numbers misses nothing.
 */
export abstract class ChangeStore {
  /**
   * Those of the merchants that have rows for {@link unnumbered}, in any order. What it costs depends on how many merchants are asked for,
   * hardly on how many rows wait. Throws StoreUnavailable.
   */
  abstract waiting(merchantIds: readonly number[]): Promise<number[]>;

  /** Rows without a number whose state stands (no live lease), oldest first, at most `limit`; and the merchant's last number. */
  abstract unnumbered(merchantId: number, limit: number): Promise<{ readonly seq: bigint; readonly rows: readonly UnnumberedRow[] }>;

  /**
   * Gives the rows the numbers after `seq` in the order of their lines, adds the sums and sets the due times, in one transaction. Applies only while the merchant's last number is
   * `seq` and every row is as it was seen; `false`: nothing was written.
   */
  abstract number(merchantId: number, seq: bigint, lines: readonly NumberLine[], sums: readonly HourSum[]): Promise<boolean>;
}

export interface UnnumberedRow {
  readonly id: bigint;
  readonly status: Status;
  readonly action: Action;
  readonly amountMinor: bigint;
  readonly createdAt: DbTime;
  readonly gameId: number;
  /** Its process died: pending, the lease over, no due time yet. */
  readonly orphaned: boolean;
  /** Database time of this reading. */
  readonly readAt: DbTime;
}

export interface NumberLine {
  readonly id: bigint;
  readonly seen: Status;
  /** Due time for an orphan; undefined leaves it. */
  readonly nextAt?: DbTime;
}

/** What one (hour, game, action) gains: transactions that became a success. Folded further by provider and type when stored. */
export interface HourSum {
  /** Start of the hour of the transactions' creation, UTC. */
  readonly hour: DbTime;
  readonly gameId: number;
  readonly action: Action;
  readonly count: number;
  readonly sumMinor: bigint;
}
