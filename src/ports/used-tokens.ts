/** A used token is remembered for this long, in ms. This is longer than any token is valid. */
export const TOKEN_MEMORY_MS = 3_600_000;

/** The launch tokens that have been exchanged, remembered for an hour. All replicas share them. */
export abstract class UsedTokens {
  /**
   * Records in one atomic step that the token is used. Of all calls for a token, on all replicas, exactly one returns
   * true. Throws when the store cannot be reached.
   */
  abstract use(jti: string): Promise<boolean>;
  /** Deletes tokens that were used more than an hour ago, at most `limit`. Returns how many it deleted. */
  abstract forget(limit: number): Promise<number>;
}
