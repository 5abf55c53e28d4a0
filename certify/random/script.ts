/** A random history as data: it can be printed, cut down and played again. */

export interface Definition {
  readonly action: "bet" | "win" | "refund" | "rollback";
  /** Minor units. Of a bet also all that is there, or one unit more; of a reversal the whole of what it reverses, or another amount. */
  readonly amount: number | "all" | "beyond" | "whole" | "other";
  /** Of a reversal: the index of what it reverses. */
  readonly of?: number;
}

export interface Send {
  /** The index of what is sent. The same index again is a repeat. */
  readonly send: number;
  /** So many at once; 1 by default. */
  readonly copies?: number;
  /** One more copy whose connection is closed, so many milliseconds after it was sent. */
  readonly cut?: number;
}

export interface Script {
  /** The balance to begin with, at least, in minor units. */
  readonly start: number;
  readonly callbacks: readonly Definition[];
  /** What stands in one step is sent at once. The next step begins when all of it is answered. */
  readonly steps: readonly (readonly Send[])[];
}

/** @throws Error with the fault, when the value is no script. */
export function readScript(value: unknown): Script {
  const script = value as Script;
  const isIndex = (index: unknown): boolean => Number.isInteger(index) && (script.callbacks[index as number] ?? undefined) !== undefined;
  if (typeof script !== "object" || script === null || !Number.isInteger(script.start) || !Array.isArray(script.callbacks) || !Array.isArray(script.steps))
    throw new Error("a script has start, callbacks and steps");
  for (const [i, { action, of }] of script.callbacks.entries()) {
    if (!["bet", "win", "refund", "rollback"].includes(action)) throw new Error(`callback ${i}: no such action: ${action}`);
    const isReversal = action === "refund" || action === "rollback";
    if (isReversal !== isIndex(of) || (isReversal && (of ?? 0) >= i))
      throw new Error(`callback ${i}: \`of\` must be the index of an earlier callback, for refunds and rollbacks alone`);
  }
  for (const send of script.steps.flat()) if (!isIndex(send.send)) throw new Error(`no callback ${send.send}`);
  return script;
}

/**
 * The rules leave no doubt about this history. A refund that names a win (or a rollback a bet) that has not come yet does: whether the wallet's tombstone
 * is for any transaction or for bets alone is its own business.
 */
export function isSound({ callbacks, steps }: Script): boolean {
  const sent = new Set<number>();
  for (const step of steps) {
    for (const { send } of step) {
      const { action, of } = callbacks[send] as Definition;
      if (of === undefined) continue;
      if (callbacks[of]?.action !== (action === "refund" ? "bet" : "win") && !sent.has(of)) return false;
    }
    for (const { send } of step) sent.add(send);
  }
  return true;
}
