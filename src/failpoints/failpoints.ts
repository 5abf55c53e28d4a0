import { writeSync } from "node:fs";
import type { CrashPoint, Failpoint } from "./failpoint.ts";

const STDOUT = 1;

interface Armed extends Failpoint {
  arrivals: number;
  /** Who is met: transactions' own ids, nonces, token ids. */
  readonly met: string[];
  /** Resolves when it has happened. undefined: nobody has come who makes it happen. */
  happens: Promise<void> | undefined;
  hasGathered: boolean;
  isOver: boolean;
}

/** The failpoints of this process, each of which happens once. What reaches a point says so here, and may not come back. */
export class Failpoints {
  readonly #armed: readonly Armed[];

  constructor(failpoints: readonly Failpoint[]) {
    this.#armed = failpoints.map((one) => ({ ...one, arrivals: 0, met: [], happens: undefined, hasGathered: false, isOver: false }));
  }

  /** Goes on when nothing happens here, or has happened. */
  async reach(point: CrashPoint, ids: readonly string[]): Promise<void> {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) await this.#happen(armed);
  }

  /** As {@link reach}, for who can't wait: it goes on while others gather, and must still be there in the end to have been met. */
  pass(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) void this.#happen(armed);
  }

  /** Holds the first who comes, where others queue behind it by themselves. */
  async gather(point: CrashPoint): Promise<void> {
    for (const armed of this.#armedAt(point)) {
      if (armed.hasGathered) continue;
      armed.hasGathered = true;
      await new Promise((resolve) => void setTimeout(resolve, armed.gatherMs));
    }
  }

  /** As {@link reach}, for what is at the point for a moment: it happens at once. */
  strike(point: CrashPoint, ids: readonly string[]): void {
    for (const armed of this.#armedAt(point)) if (this.#arrive(armed, ids)) happen(armed);
  }

  #armedAt(point: CrashPoint): readonly Armed[] {
    return this.#armed.filter((armed) => armed.point === point && !armed.isOver);
  }

  /** Whether they are met. */
  #arrive(armed: Armed, ids: readonly string[]): boolean {
    armed.arrivals += 1;
    if (armed.arrivals < armed.nth) return false;
    armed.met.push(...ids);
    return true;
  }

  /** Resolves when it has happened: at once, or when others had the time to come. */
  #happen(armed: Armed): Promise<void> {
    if (armed.gatherMs === 0) happen(armed);
    armed.happens ??= armed.isOver ? Promise.resolve() : new Promise((resolve) => void setTimeout(() => resolve(happen(armed)), armed.gatherMs));
    return armed.happens;
  }
}

function happen(armed: Armed): void {
  armed.isOver = true;
  const { point, action, pauseMs, met } = armed;
  // Written at once, for there may be no later. Whoever set the point reads who was met.
  writeSync(STDOUT, `${JSON.stringify({ failpoint: point, action, at: Date.now(), met })}\n`);
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  // As with SIGSTOP no timer and no I/O is served meanwhile, and the sockets stay open.
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
