import type { GroupingName } from "../../../contract/values/groupings.ts";
import type { GgrCell, GgrRequest } from "../../domain/transaction/report.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";

/** Reads the sums of transactions. */
export abstract class GgrStore {
  /**
   * The sums of all successful and pending transactions created at or after the first bound and before the last, from
   * one consistent snapshot taken at `asOf`, by database time. Throws StoreUnavailable.
   *
   * The sums come as cells, several at a time. Each cell lies between two neighbouring bounds, and each transaction is
   * in one cell. A report by player may have any number of cells. They come in the byte order of the player ids.
   * However slowly they are read, no database resource is held meanwhile.
   */
  abstract read(query: GgrQuery): Promise<{ readonly asOf: DbTime; readonly cells: AsyncIterable<readonly GgrCell[]> }>;

  /**
   * Compares the stored sums by hour, and by game where a report would use them, with the transactions created at or
   * after `from` and before `to`. Both times are full hours. Returns null if they agree.
   * It uses no connection that bets wait for. Throws StoreUnavailable.
   */
  abstract difference(merchantId: number, from: DbTime, to: DbTime): Promise<GgrDifference | null>;

  /**
   * The days (UTC) that lie before `before` and whose stored sums by game lack a success that the sums by hour have,
   * newest first. It uses no connection that bets wait for. Throws StoreUnavailable.
   *
   * @param before - the start of a day, UTC.
   */
  abstract incompleteDays(merchantId: number, before: DbTime): Promise<DbTime[]>;

  /** Stores the sums by game of a day (UTC). Reports of this day then need not read its transactions. Throws StoreUnavailable. */
  abstract sumGames(merchantId: number, day: DbTime): Promise<void>;
}

export interface GgrQuery {
  /** At least one. All have the same currency. */
  readonly merchantIds: readonly number[];
  /** At least two bounds in ascending order; two may be equal. */
  readonly bounds: readonly DbTime[];
  /** What the key of each cell names. A query by player has one merchant. */
  readonly groupBy: GroupingName;
  readonly provider: GgrRequest["provider"];
  readonly type: GgrRequest["type"];
}

/** How stored sums differ from the transactions. */
export interface GgrDifference {
  /** The sums that differ, for the log. */
  readonly text: string;
  /** The stored GGR less the GGR of the transactions, in minor units. 0: only other figures differ. */
  readonly ggrMinor: bigint;
}
