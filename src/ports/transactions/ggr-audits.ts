import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";

/**
 * Records for which past days the stored sums have been compared with the transactions. Only the replica that holds the
 * claim compares them. A claim expires by database time, so the claim of a dead replica ends by itself. All methods
 * throw StoreUnavailable.
 */
export abstract class GgrAudits {
  /**
   * Takes the claim for `forMs` from now, or prolongs the holder's own claim.
   *
   * @param holder - a name that no other replica has; at most 64 bytes.
   * @returns the database's time; null while another replica holds the claim.
   */
  abstract claim(holder: string, forMs: WholeMs): Promise<DbTime | null>;

  /** Ends the claim if `holder` still has it. */
  abstract release(holder: string): Promise<void>;

  /**
   * The merchants for which this day, or a later one, is recorded.
   *
   * @param day - the start of the day, UTC.
   */
  abstract audited(day: DbTime): Promise<ReadonlySet<number>>;

  /** Records that this merchant's day has been compared. A second record of the same day changes nothing. */
  abstract record(merchantId: number, day: WholeMs): Promise<void>;
}
