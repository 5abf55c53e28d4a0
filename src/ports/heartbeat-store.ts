import type { WholeMs } from "../domain/values/whole-ms.ts";

/** A replica is remembered for this long after its last heartbeat, in ms. */
export const HEARTBEAT_MEMORY_MS = 86_400_000;

/** The replicas of the service that are alive. All replicas share this store. Its times are by the store's clock. */
export abstract class HeartbeatStore {
  /**
   * Records that this replica is alive. Returns how many replicas, itself included, sent a heartbeat within the last
   * `withinMs`. Throws when the store cannot be reached.
   */
  abstract beat(replica: string, withinMs: WholeMs): Promise<number>;
  /** Deletes this replica from the store, because the replica stops. */
  abstract leave(replica: string): Promise<void>;
  /** Deletes replicas whose last heartbeat is more than a day old, at most `limit`. Returns how many it deleted. */
  abstract forget(limit: number): Promise<number>;
}
