import { type Violation, violation } from "../../../testbed/judge/record.ts";
import type { Stage } from "./stage.ts";

/** Something that happens to the database, or on the way to it, while everybody plays. */
export interface Fault {
  readonly kind: string;
  /** Until every replica has noticed and calls itself not ready, or so many milliseconds. */
  readonly lasts: "until not ready" | number;
  /** Resolves when it has taken hold. */
  strike(stage: Stage): Promise<void>;
  /**
   * Resolves when nothing is wrong any more. Answers how many single faults there were: none is a fault that wasn't
   * one.
   */
  heal(stage: Stage): Promise<number>;
  /**
   * What came of it that the judge doesn't know to be wrong, asked when everything is at rest.
   * @param fired - how many there were.
   */
  wrong?(stage: Stage, fired: number): Promise<readonly string[]>;
}

/** How one fault went. */
export interface Struck {
  readonly kind: string;
  readonly fired: number;
  /** Replies with a result while it lasted and after, and the longest time without one at any replica. */
  readonly acknowledged: number;
  readonly longestSilenceMs: number;
  /** From the beginning of the healing until every replica is ready. */
  readonly recoveredMs: number;
  readonly violations: readonly Violation[];
}

/**
 * Everybody plays, the fault happens, lasts and is healed; then all that has happened is judged.
 * @param playMs - before and after it.
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
