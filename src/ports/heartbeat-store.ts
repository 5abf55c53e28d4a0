/** How long a replica that beats no more is remembered. */
export const HEARTBEAT_MEMORY_MS = 86_400_000;

/** Which replicas of the service live, shared by all of them; times are the store's. */
export abstract class HeartbeatStore {
  /** Notes that this replica lives; answers how many were seen within the last `withinMs`, itself included. Throws when the store can't be reached. */
  abstract beat(replica: string, withinMs: number): Promise<number>;
  /** This replica ends: it no longer counts. */
  abstract leave(replica: string): Promise<void>;
  /** Forgets replicas that were last seen more than a day ago, at most `limit`; answers how many. */
  abstract forget(limit: number): Promise<number>;
}
