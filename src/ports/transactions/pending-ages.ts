/** Counts pending transactions by age, for monitoring. */
export abstract class PendingAges {
  /**
   * Counts, for each merchant and each age, the pending transactions that are at least that old and wait for another
   * attempt or for their provider. First attempts in flight do not count. At most {@link PENDING_COUNTED_MAX} per
   * merchant are counted; those that the service does not resend are counted first. Merchants without such transactions
   * are left out.
   *
   * @param agesMs - ages in ms; the counts have the same order.
   * @param stop - after its abort no further statement is sent, and the remaining merchants are left out.
   */
  abstract count(merchantIds: readonly number[], agesMs: readonly number[], stop: AbortSignal): Promise<PendingCount[]>;
}

export interface PendingCount {
  readonly merchantId: number;
  /** One count for each age. */
  readonly counts: readonly number[];
}

export const PENDING_COUNTED_MAX = 5_000;
