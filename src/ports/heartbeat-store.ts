/** A replica is remembered for this long after its last heartbeat, in ms. */
export const HEARTBEAT_MEMORY_MS = 86_400_000;

/** The replicas of the service that are alive. All replicas share it; times are the store's. */
export abstract class HeartbeatStore {
  /**
   * Records that this replica is alive, and returns how many were seen within the last `withinMs`, itself included.
   * Throws when the store cannot be reached.
   */
  abstract beat(replica: string, withinMs: number): Promise<number>;
  /** Removes this replica, because it stops. */
  abstract leave(replica: string): Promise<void>;
  /** Deletes replicas that were last seen more than a day ago, at most `limit`; returns how many. */
  abstract forget(limit: number): Promise<number>;
}
