/** Makes a failing script smaller, as long as the smaller script fails, too. */
import { isSound, type Script, type Send } from "./script.ts";

/** The limit for further plays. Its time begins with the first play. */
export class Budget {
  #plays: number;
  readonly #ms: number;
  #end: number | undefined;

  constructor({ plays, ms }: { readonly plays: number; readonly ms: number }) {
    this.#plays = plays;
    this.#ms = ms;
  }

  /** Uses one play of the budget; false: the budget is used up. */
  take(): boolean {
    this.#end ??= performance.now() + this.#ms;
    this.#plays -= 1;
    return this.#plays >= 0 && performance.now() < this.#end;
  }
}

/**
 * `fails` plays a script and returns whether it fails. A smaller script is dropped only after two plays without a
 * failure, because a race does not happen in each play.
 */
export async function shrink(
  script: Script,
  fails: (script: Script) => Promise<boolean>,
  budget: Budget,
): Promise<Script> {
  let smallest = script;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of smaller(smallest)) {
      if (!isSound(candidate)) continue;
      if (!budget.take()) return withoutUnused(smallest);
      if (!(await fails(candidate)) && !(budget.take() && (await fails(candidate)))) continue;
      smallest = candidate;
      found = true;
      break;
    }
  }
  return withoutUnused(smallest);
}

/** Scripts with fewer parts. The scripts with the largest reduction come first. */
function* smaller(script: Script): Generator<Script> {
  const { steps } = script;
  const replaced = (at: number, ...by: (readonly Send[])[]): Script => ({
    ...script,
    steps: [...steps.slice(0, at), ...by, ...steps.slice(at + 1)],
  });
  for (let size = steps.length >> 1; size >= 1; size >>= 1)
    for (let at = steps.length - size; at >= 0; at -= size)
      yield { ...script, steps: [...steps.slice(0, at), ...steps.slice(at + size)] };
  for (const [at, step] of steps.entries()) {
    if (step.length > 1)
      for (const send of step)
        yield replaced(
          at,
          step.filter((other) => other !== send),
        );
    for (const send of step) {
      const { copies, cut, ...plain } = send;
      const instead = (by: Send): Script =>
        replaced(
          at,
          step.map((other) => (other === send ? by : other)),
        );
      if (cut !== undefined) yield instead({ ...plain, ...(copies !== undefined && { copies }) });
      if (copies !== undefined) yield instead({ ...plain, ...(cut !== undefined && { cut }) });
    }
  }
}

/** Removes the callbacks that no step sends and no callback reverses. */
function withoutUnused({ start, callbacks, steps }: Script): Script {
  const used = new Set(steps.flat().map(({ send }) => send));
  for (let i = callbacks.length - 1; i >= 0; i -= 1) {
    const of = callbacks[i]?.of;
    if (used.has(i) && of !== undefined) used.add(of);
  }
  const kept = [...used].sort((a, b) => a - b);
  const index = (old: number): number => kept.indexOf(old);
  return {
    start,
    callbacks: kept.map((old) => {
      const { of, ...definition } = callbacks[old] as Script["callbacks"][number];
      return { ...definition, ...(of !== undefined && { of: index(of) }) };
    }),
    steps: steps.map((step) => step.map((send) => ({ ...send, send: index(send.send) }))),
  };
}
