import { writeSync } from "node:fs";
import type { CrashPoint, Failpoint } from "./failpoint.ts";

const STDOUT = 1;

interface Armed extends Failpoint {
  arrivals: number;
  /** The ids that were at the point when the kill or pause happened: transactions' own ids, nonces or token ids. */
  readonly met: string[];
  /** Resolves when the kill or pause has happened. undefined: the arrival that triggers it has not come yet. */
  happens: Promise<void> | undefined;
  /** Resolves `gatherMs` after the first call. undefined: no call has come yet. */
  gathered: Promise<void> | undefined;
  isOver: boolean;
}

/**
 * The failpoints of this process. Each happens only once. Code that reaches a crash point calls a method of this class,
 * and that call may kill the process.
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

  /** Call this at a crash point. It resolves at once if nothing happens there, else after the pause. */
  async reach(point: CrashPoint, ids: readonly string[]): Promise<void> {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) await this.#happen(armed);
  }

  /**
   * Like {@link reach}, for synchronous code, which can't wait. This code goes on while other transactions wait at the
   * point.
   */
  pass(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) void this.#happen(armed);
  }

  /**
   * Makes every call wait until `gatherMs` after the first call. It is used where further calls wait behind the present
   * ones.
   */
  async gather(point: CrashPoint, ids: readonly string[]): Promise<void> {
    for (const armed of this.#armedAt(point).filter((one) => concerns(one, ids)))
      await (armed.gathered ??= new Promise((resolve) => void setTimeout(resolve, armed.gatherMs)));
  }

  /**
   * Like {@link reach}, but the kill or pause happens at once. It is used where code is at the point only for a moment.
   */
  strike(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) happen(armed);
  }

  #armedAt(point: CrashPoint): readonly Armed[] {
    return this.#armed.filter((armed) => armed.point === point && !armed.isOver);
  }

  /**
   * Counts an arrival. `true`: this arrival triggers the failpoint or comes after the one that did. Then its ids are
   * recorded.
   */
  #arrive(armed: Armed, ids: readonly string[]): boolean {
    if (!concerns(armed, ids)) return false;
    armed.arrivals += 1;
    if (armed.arrivals < armed.nth) return false;
    armed.met.push(...ids);
    return true;
  }

  /** Kills or pauses the process, at once or after `gatherMs`. Resolves after the pause. */
  #happen(armed: Armed): Promise<void> {
    if (armed.gatherMs === 0) happen(armed);
    armed.happens ??= armed.isOver
      ? Promise.resolve()
      : new Promise((resolve) => void setTimeout(() => resolve(happen(armed)), armed.gatherMs));
    return armed.happens;
  }
}

const concerns = ({ ending }: Failpoint, ids: readonly string[]): boolean =>
  ending === "" || ids.some((id) => id.endsWith(ending));

function happen(armed: Armed): void {
  armed.isOver = true;
  const { point, action, pauseMs, met } = armed;
  // The line is written synchronously, because the process may be killed next. The test that set the failpoint reads
  // this line.
  writeSync(STDOUT, `${JSON.stringify({ failpoint: point, action, at: Date.now(), met })}\n`);
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  // This pause is like SIGSTOP: no timer and no I/O runs meanwhile, and the sockets stay open.
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
