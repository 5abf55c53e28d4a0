/** Pending transactions by age, for whoever watches the service. */
export abstract class PendingAges {
  /**
   * How many transactions of each merchant that wait for another attempt, or for their provider, were created at least so long ago. Counts
   * at most {@link PENDING_COUNTED_MAX} per merchant, those first that nobody resends. First attempts in flight are none of them. Merchants
   * without any are left out.
   *
   * @param agesMs - the counts' order, too.
   * @param stop - once it is aborted, no further statement is sent and the rest is left out.
   */
  abstract count(merchantIds: readonly number[], agesMs: readonly number[], stop: AbortSignal): Promise<PendingCount[]>;
}

export interface PendingCount {
  readonly merchantId: number;
  /** One per age asked for. */
  readonly counts: readonly number[];
}

export const PENDING_COUNTED_MAX = 5_000;
