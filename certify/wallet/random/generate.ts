/** Random histories: the same seed gives the same script. */
import type { Definition, Script, Send } from "./script.ts";

const STEPS = 14;

/** Makes numbers from 0 to below n, all from one seed (mulberry32). */
function randomOf(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

export function generate(seed: number): Script {
  const random = randomOf(seed);
  const callbacks: Definition[] = [];
  /** The callbacks that an earlier step sends. */
  const sent = new Set<number>();
  const steps: Send[][] = [];
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const define = (definition: Definition): number => callbacks.push(definition) - 1;
  const original = (): number =>
    random(2) === 0
      ? define({ action: "bet", amount: pick([100, 250, 75, 1_000, "all", "beyond"] as const) })
      : define({ action: "win", amount: pick([100, 250, 500, 25] as const) });

  const reversal = (): number => {
    const originals = callbacks.flatMap(({ of }, i) => (of === undefined ? [i] : []));
    // One in five reversals names a transaction that has not been sent yet and may be sent later.
    const of = originals.length === 0 || random(5) === 0 ? original() : pick(originals);
    const isBet = callbacks[of]?.action === "bet";
    const isContradictory = sent.has(of) && random(8) === 0;
    return define({
      action: isBet !== isContradictory ? "refund" : "rollback",
      amount: random(8) === 0 ? "other" : "whole",
      of,
    });
  };

  for (let step = 0; step < STEPS; step += 1) {
    const sends = new Map<number, Send>();
    for (let i = pick([1, 1, 2, 3, 4]); i > 0; i -= 1) {
      const kind = random(10);
      const send = kind < 4 || callbacks.length === 0 ? original() : kind < 7 ? reversal() : random(callbacks.length);
      const isReversal = callbacks[send]?.of !== undefined;
      // A repeat of a contradictory reversal is contradictory, too: its original must have been sent in an earlier
      // step.
      if (isReversal && !sent.has(callbacks[send]?.of ?? -1) && contradicts(callbacks, send)) continue;
      sends.set(send, {
        send,
        ...(random(4) === 0 && { copies: 2 + random(4) }),
        ...(random(5) === 0 && { cut: pick([0, 1, 3, 8]) }),
      });
    }
    for (const send of sends.keys()) sent.add(send);
    if (sends.size > 0) steps.push([...sends.values()]);
  }
  return { start: 500, callbacks, steps };
}

function contradicts(callbacks: readonly Definition[], index: number): boolean {
  const { action, of } = callbacks[index] as Definition;
  return callbacks[of ?? -1]?.action !== (action === "refund" ? "bet" : "win");
}
