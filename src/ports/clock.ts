/** Time as this process sees it. The database's time decides leases and due dates; this one only measures and waits. */
export abstract class Clock {
  /** Milliseconds since 1970 by the system clock, which may step. */
  abstract now(): number;
  /** Milliseconds by a clock that never steps; only differences mean anything. */
  abstract monotonic(): number;
  /** Calls `run` once after `ms`. The returned function cancels it; calling that twice, or late, is fine. */
  abstract after(ms: number, run: () => void): () => void;
}

/** Resolves after `ms`. */
export const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
