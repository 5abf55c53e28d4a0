/** A moment by both of a process's clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly system: number;
}

/** This process's time. It is used only to measure and to wait: leases and due times use the database's clock. */
export abstract class Clock {
  /** Milliseconds since 1970 by the system clock, which may jump. */
  abstract now(): number;
  /**
   * Milliseconds by a clock that never jumps. Only differences have a meaning. It stands still while the machine is
   * suspended, as a virtual machine may be. So the age of a lease is measured by {@link elapsedSince}.
   */
  abstract monotonic(): number;
  /**
   * Calls `run` once after `ms`. The returned function cancels this call. Calling it twice, or after `run` was called,
   * has no effect.
   */
  abstract after(ms: number, run: () => void): () => void;

  moment(): Moment {
    return { monotonic: this.monotonic(), system: this.now() };
  }

  /**
   * The milliseconds since a moment, by the clock that says more. The monotonic clock is right if the system clock has
   * stepped back, and the system clock is right if the machine was suspended.
   */
  elapsedSince({ monotonic, system }: Moment): number {
    return Math.max(this.monotonic() - monotonic, this.now() - system);
  }
}

/** Resolves after `ms`. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
