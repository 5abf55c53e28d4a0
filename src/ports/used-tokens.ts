/** A used token is remembered for this long, in ms: longer than any token is valid. */
export const TOKEN_MEMORY_MS = 3_600_000;

/** The launch tokens that have been exchanged, remembered for an hour. All replicas share them. */
export abstract class UsedTokens {
  /**
   * Uses the token up in one atomic step: of any number of calls, on any replica, exactly one returns true. Throws when
   * the store cannot be reached.
   */
  abstract use(jti: string): Promise<boolean>;
  /** Deletes tokens that were used more than an hour ago, at most `limit`; returns how many. */
  abstract forget(limit: number): Promise<number>;
}
