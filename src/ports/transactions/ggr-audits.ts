import type { DbTime } from "../../domain/transaction/transaction.ts";

/**
 * How far the replicas have come with checking the stored sums of past days against the transactions. Only the replica
 * that holds the claim does it. A claim expires by database time, so a dead holder's claim ends by itself. All methods
 * throw StoreUnavailable.
 */
export abstract class GgrAudits {
  /**
   * Takes the claim for `forMs` from now, or prolongs the holder's own claim.
   *
   * @param holder - names this replica alone; at most 64 bytes.
   * @returns the database's time; null while another replica holds the claim.
   */
  abstract claim(holder: string, forMs: number): Promise<DbTime | null>;

  /** Gives the claim back if the holder still has it. */
  abstract release(holder: string): Promise<void>;

  /** The merchants for which this day, or a later one, is recorded. @param day - the start of the day, UTC. */
  abstract audited(day: DbTime): Promise<ReadonlySet<number>>;

  /** Recording a day twice changes nothing. */
  abstract record(merchantId: number, day: DbTime): Promise<void>;
}
