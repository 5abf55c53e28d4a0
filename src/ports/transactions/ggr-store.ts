import type { GgrCell, GgrRequest, Grouping } from "../../domain/transaction/report.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";

/** Reads what a merchant's transactions add up to. */
export abstract class GgrStore {
  /**
   * The sums of all success and pending transactions created from the first bound on and before the last, in pieces: none spans a
   * bound, none is told twice. All from one consistent snapshot, taken at `asOf` (database time). Throws StoreUnavailable.
   * They come some at a time, with a pause between. By player there may be any number of them: they come in the order of the players' bytes,
   * and nothing of the database is held while they are read, however slowly.
   */
  abstract read(query: GgrQuery): Promise<{ readonly asOf: DbTime; readonly cells: AsyncIterable<readonly GgrCell[]> }>;

  /**
   * Whether the sums kept beside the transactions created from `from` on and before `to`, both on the hour, are what these add up to: null
   * when they are, else what they differ in, in words. It takes no connection that bets wait for. Throws StoreUnavailable.
   */
  abstract difference(merchantId: number, from: DbTime, to: DbTime): Promise<string | null>;
}

export interface GgrQuery {
  readonly merchantId: number;
  /** At least two, none before the one in front of it. */
  readonly bounds: readonly DbTime[];
  /** What the cells' keys are. */
  readonly groupBy: Grouping;
  readonly provider: GgrRequest["provider"];
  readonly type: GgrRequest["type"];
}
