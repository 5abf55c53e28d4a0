/** This process's time. It only measures and waits: leases and due times are by the database's time. */
export abstract class Clock {
  /** Milliseconds since 1970 by the system clock, which may jump. */
  abstract now(): number;
  /** Milliseconds by a clock that never jumps. Only differences have a meaning. */
  abstract monotonic(): number;
  /** Calls `run` once after `ms`. The returned function cancels it, and may be called twice or late. */
  abstract after(ms: number, run: () => void): () => void;
}

/** Resolves after `ms`. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
