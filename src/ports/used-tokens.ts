/** Longer than any token lives. */
export const TOKEN_MEMORY_MS = 3_600_000;

/** Which launch tokens have been exchanged, remembered for an hour, shared by all replicas. */
export abstract class UsedTokens {
  /**
   * Uses the token up, in one atomic step: of any number of calls, on any replica, exactly one gets true. Throws when the store can't
   * be reached.
   */
  abstract use(jti: string): Promise<boolean>;
  /** Forgets what was used more than an hour ago, at most `limit`; answers how many. */
  abstract forget(limit: number): Promise<number>;
}
