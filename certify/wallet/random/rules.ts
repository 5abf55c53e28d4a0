/** The rules that a history tries. */
import type { RuleId } from "../rules.ts";
import type { Definition, Script } from "./script.ts";

/** The rule of each action in the history, then the rules of what the history does with them. */
export function rulesOf({ callbacks, steps }: Script): RuleId[] {
  const sends = steps.flat();
  const first = new Map<number, number>();
  for (const [step, all] of steps.entries()) for (const { send } of all) if (!first.has(send)) first.set(send, step);
  const sent = [...first.keys()].map((index) => ({ index, ...(callbacks[index] as Definition) }));
  const reversals = sent.flatMap(({ index, of, amount }) => (of === undefined ? [] : [{ index, of, amount }]));
  const stepOf = (index: number): number => first.get(index) ?? Number.POSITIVE_INFINITY;

  const rules = new Set<RuleId>(sent.map(({ action }) => `contract-${action}` as const));
  if (sends.length > first.size || sends.some(({ cut }) => cut !== undefined)) rules.add("contract-once");
  if (sends.some(({ copies = 1 }) => copies > 1)) rules.add("contract-concurrent");
  if (reversals.some(({ index, of }) => stepOf(of) >= stepOf(index))) rules.add("contract-tombstone");
  if (new Set(reversals.map(({ of }) => of)).size < reversals.length) rules.add("contract-reverse-once");
  if (reversals.some(({ amount }) => amount === "other")) rules.add("contract-reverse-whole");
  return [...rules];
}
