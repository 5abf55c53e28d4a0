import { writeSync } from "node:fs";
import type { CrashPoint, Failpoint } from "./failpoint.ts";

const STDOUT = 1;

interface Armed extends Failpoint {
  arrivals: number;
  /** What was at the point when it happened: transactions' own ids, nonces or token ids. */
  readonly met: string[];
  /** Resolves when it has happened. undefined: the arrival that triggers it has not come yet. */
  happens: Promise<void> | undefined;
  /** Resolves `gatherMs` after the first call. undefined: no call has come yet. */
  gathered: Promise<void> | undefined;
  isOver: boolean;
}

/**
 * The failpoints of this process. Each happens once. Code that reaches a point calls a method here, and that call may
 * kill the process.
 */
export class Failpoints {
  readonly #armed: readonly Armed[];

  constructor(failpoints: readonly Failpoint[]) {
    this.#armed = failpoints.map((one) => ({
      ...one,
      arrivals: 0,
      met: [],
      happens: undefined,
      gathered: undefined,
      isOver: false,
    }));
  }

  /** Reaches a point. Resolves at once when nothing happens there, else after it has happened. */
  async reach(point: CrashPoint, ids: readonly string[]): Promise<void> {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) await this.#happen(armed);
  }

  /** Like {@link reach}, for synchronous code that can't wait. It goes on while others gather at the point. */
  pass(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) void this.#happen(armed);
  }

  /** Holds every call until `gatherMs` after the first one. Used where further calls queue up behind the held ones. */
  async gather(point: CrashPoint): Promise<void> {
    for (const armed of this.#armedAt(point))
      await (armed.gathered ??= new Promise((resolve) => void setTimeout(resolve, armed.gatherMs)));
  }

  /** Like {@link reach}, but it happens at once. Used where code is at the point for a moment only. */
  strike(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) happen(armed);
  }

  #armedAt(point: CrashPoint): readonly Armed[] {
    return this.#armed.filter((armed) => armed.point === point && !armed.isOver);
  }

  /** Counts an arrival. `true`: it triggers the failpoint or comes after the one that did, and its ids are noted. */
  #arrive(armed: Armed, ids: readonly string[]): boolean {
    armed.arrivals += 1;
    if (armed.arrivals < armed.nth) return false;
    armed.met.push(...ids);
    return true;
  }

  /** Makes it happen, at once or after `gatherMs`. Resolves when it has happened. */
  #happen(armed: Armed): Promise<void> {
    if (armed.gatherMs === 0) happen(armed);
    armed.happens ??= armed.isOver
      ? Promise.resolve()
      : new Promise((resolve) => void setTimeout(() => resolve(happen(armed)), armed.gatherMs));
    return armed.happens;
  }
}

function happen(armed: Armed): void {
  armed.isOver = true;
  const { point, action, pauseMs, met } = armed;
  // Written synchronously, because the process may be killed next. The test that set the point reads this line.
  writeSync(STDOUT, `${JSON.stringify({ failpoint: point, action, at: Date.now(), met })}\n`);
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  // As after SIGSTOP, no timer and no I/O is served meanwhile, and the sockets stay open.
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
