/** How long a nonce is remembered at least: longer than any timestamp that came with it is accepted. */
export const NONCE_MEMORY_MS = 660_000;

/** Nonces of signed requests, remembered at least 11 minutes, shared by all replicas. */
export abstract class NonceStore {
  /** For each line: true when this is its first use, in one atomic step. Throws when the store can't be reached: the check is never skipped. */
  abstract use(lines: readonly { readonly merchantId: number; readonly nonce: string }[]): Promise<boolean[]>;
  /** Forgets what is older than 11 minutes, at most `limit`; answers how many. */
  abstract forget(limit: number): Promise<number>;
}
