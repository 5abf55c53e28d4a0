import type { RunRecord } from "../../../testbed/judge/record.ts";
import { NETWORK, type Scope, ScopeRun } from "./scope.ts";
import type { Choice } from "./turns.ts";

export interface Explored {
  /** The different moments that were reached, and the ends of runs. */
  readonly moments: number;
  readonly ends: number;
}

/**
 * Runs a scope in every order of its calls, with every answer of the wallet. A moment that was reached before in
 * another order is not explored again, because everything after it is the same.
 *
 * @param judge - gets the record of each end, and the choices that led to it.
 */
export async function explore(
  scope: Scope,
  judge: (record: RunRecord, path: readonly string[]) => void,
): Promise<Explored> {
  const seen = new Set<string>();
  const left: number[][] = [[]];
  let ends = 0;
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const run = await ScopeRun.begin(scope);
    const steps: string[] = [];
    for (const index of path) await choose(run, index, steps);
    const taken = [...path];
    for (;;) {
      const moment = run.digest();
      if (seen.has(moment)) break;
      seen.add(moment);
      const choices = run.choices();
      // When only late calls are left, time may also pass without them.
      const options = [...choices.keys(), ...(choices.every(({ process }) => process === NETWORK) ? [WAIT] : [])];
      for (const other of options.slice(1)) left.push([...taken, other]);
      const next = options[0] ?? WAIT;
      taken.push(next);
      if (await choose(run, next, steps)) continue;
      ends += 1;
      judge(await run.end(), steps);
      break;
    }
  }
  return { moments: seen.size, ends };
}

const WAIT = -1;

/** `false`: nothing more can happen before the end. */
async function choose(run: ScopeRun, index: number, steps: string[]): Promise<boolean> {
  if (index === WAIT) {
    steps.push("time passes");
    return run.wait();
  }
  const { process, name, outcome } = run.choices()[index] as Choice;
  steps.push(`${process} ${name} ${outcome}`.trim());
  await run.choose(index);
  return true;
}
