import { type Violation, violation } from "../../../testbed/judge/record.ts";
import type { Stage } from "./stage.ts";

/** A fault of the database, or of the connection to it, while all players play. */
export interface Fault {
  readonly kind: string;
  /** The duration of the fault: until every replica has noticed it and is not ready, or this many milliseconds. */
  readonly lasts: "until not ready" | number;
  /** Resolves when the fault is in effect. */
  strike(stage: Stage): Promise<void>;
  /** Resolves when the fault is healed. Returns the number of single faults; 0 means that the fault did not happen. */
  heal(stage: Stage): Promise<number>;
  /**
   * Faults that the judge doesn't find, read when all work has ended.
   *
   * @param fired - the number of single faults.
   */
  wrong?(stage: Stage, fired: number): Promise<readonly string[]>;
}

/** The result of one fault. */
export interface Struck {
  readonly kind: string;
  readonly fired: number;
  /** Replies with a result during and after the fault, and the longest time without one at any replica. */
  readonly acknowledged: number;
  readonly longestSilenceMs: number;
  /** From the beginning of the healing until every replica is ready. */
  readonly recoveredMs: number;
  readonly violations: readonly Violation[];
}

/**
 * All players play. The fault begins, lasts and is healed. Then the run is judged.
 *
 * @param playMs - the playing time before and after the fault.
 */
export async function strike(stage: Stage, fault: Fault, playMs: number): Promise<Struck> {
  const { players } = stage;
  players.play();
  const happened = await happen(stage, fault, playMs).finally(() => players.pause());
  const { acknowledged, longestSilenceMs } = players;
  const judged = await stage.judged();
  const wrong = ((await fault.wrong?.(stage, happened.fired)) ?? []).map((what) => violation("I0", fault.kind, what));
  return {
    kind: fault.kind,
    ...happened,
    acknowledged,
    longestSilenceMs,
    violations: [...happened.violations, ...judged, ...wrong],
  };
}

async function happen(
  stage: Stage,
  fault: Fault,
  playMs: number,
): Promise<Pick<Struck, "fired" | "recoveredMs" | "violations">> {
  const violations: Violation[] = [];
  const wrong = (what: string) => violations.push(violation("I0", fault.kind, what));
  await pause(playMs);
  await fault.strike(stage);
  if (typeof fault.lasts === "number") await pause(fault.lasts);
  else if ((await stage.until("not ready")) === undefined) wrong("every replica should have called itself not ready");
  const begun = performance.now();
  const fired = await fault.heal(stage);
  if (fired === 0) wrong("it never happened");
  violations.push(...(await stage.unclaimed()));
  if ((await stage.until("ready")) === undefined) wrong("a replica doesn't get ready again");
  const recoveredMs = performance.now() - begun;
  await pause(playMs);
  return { fired, recoveredMs, violations };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
