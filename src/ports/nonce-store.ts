/** A nonce is remembered for at least this long, in ms: longer than a request with its timestamp is accepted. */
export const NONCE_MEMORY_MS = 660_000;

/** The nonces of signed requests, remembered for at least 11 minutes. All replicas share them. */
export abstract class NonceStore {
  /**
   * Records each line's nonce in one atomic step; true when this is its first use. Throws when the store cannot be
   * reached, so the check is never skipped.
   */
  abstract use(lines: readonly { readonly merchantId: number; readonly nonce: string }[]): Promise<boolean[]>;
  /** Deletes nonces older than 11 minutes, at most `limit`; returns how many. */
  abstract forget(limit: number): Promise<number>;
}
