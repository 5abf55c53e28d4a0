import type { Clock } from "../../src/ports/clock.ts";
import { HEARTBEAT_MEMORY_MS, HeartbeatStore } from "../../src/ports/heartbeat-store.ts";

/** Replicas of one process, for tests. */
export class MemoryHeartbeatStore extends HeartbeatStore {
  readonly #clock: Clock;
  readonly #seenAt = new Map<string, number>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override async beat(replica: string, withinMs: number): Promise<number> {
    this.#seenAt.set(replica, this.#clock.now());
    return [...this.#seenAt.values()].filter((seenAt) => seenAt > this.#clock.now() - withinMs).length;
  }

  override async leave(replica: string): Promise<void> {
    this.#seenAt.delete(replica);
  }

  override async forget(limit: number): Promise<number> {
    const before = this.#clock.now() - HEARTBEAT_MEMORY_MS;
    const old = [...this.#seenAt].filter(([, seenAt]) => seenAt < before).slice(0, limit);
    for (const [replica] of old) this.#seenAt.delete(replica);
    return old.length;
  }
}
