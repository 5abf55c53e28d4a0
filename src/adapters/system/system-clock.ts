import { Clock } from "../../ports/clock.ts";

/** The machine's own clocks and timers. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override monotonic(): number {
    return performance.now();
  }

  override after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  }
}
