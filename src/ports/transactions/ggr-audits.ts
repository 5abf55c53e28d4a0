import type { DbTime } from "../../domain/transaction/transaction.ts";

/**
 * How far the replicas have come with folding past days again. One of them does it at a time: who holds the claim. Of a holder that died
 * the claim runs out, by database time. All throw StoreUnavailable.
 */
export abstract class GgrAudits {
  /**
   * Takes the claim, or prolongs the holder's own, for `forMs` from now on.
   *
   * @param holder - at most 64 bytes, no other replica's.
   * @returns database time; null while another holds it.
   */
  abstract claim(holder: string, forMs: number): Promise<DbTime | null>;

  /** Gives the claim back, if it is still the holder's. */
  abstract release(holder: string): Promise<void>;

  /** Merchants of whom this day, or a later one, is recorded. @param day - its start, UTC. */
  abstract audited(day: DbTime): Promise<ReadonlySet<number>>;

  /** Recording a day twice changes nothing. */
  abstract record(merchantId: number, day: DbTime): Promise<void>;
}
