/** This process's time. It is used only to measure and to wait: leases and due times use the database's clock. */
export abstract class Clock {
  /** Milliseconds since 1970 by the system clock, which may jump. */
  abstract now(): number;
  /** Milliseconds by a clock that never jumps. Only differences have a meaning. */
  abstract monotonic(): number;
  /**
   * Calls `run` once after `ms`. The returned function cancels this call. Calling it twice, or after `run` was called,
   * has no effect.
   */
  abstract after(ms: number, run: () => void): () => void;
}

/** Resolves after `ms`. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
