/**
 * A nonce is remembered for at least this long, in ms. This is longer than the time for which the service accepts the
 * timestamp of a request.
 */
export const NONCE_MEMORY_MS = 660_000;

/** The nonces of signed requests. They are remembered for at least 11 minutes. All replicas share them. */
export abstract class NonceStore {
  /**
   * Records the nonces of a batch in one atomic step. The result has an entry for each nonce: true at its first use.
   * Throws when the store cannot be reached, so that the check is never skipped.
   */
  abstract use(lines: readonly { readonly merchantId: number; readonly nonce: string }[]): Promise<boolean[]>;
  /** Deletes nonces older than 11 minutes, at most `limit`. Returns how many it deleted. */
  abstract forget(limit: number): Promise<number>;
}
