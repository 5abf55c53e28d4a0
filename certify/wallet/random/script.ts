/** A random history as data: it can be printed, shortened and played again. */

export interface Definition {
  readonly action: "bet" | "win" | "refund" | "rollback";
  /**
   * The amount in minor units, or by name. For a bet: `all` is the whole balance, `beyond` is one unit more. For a
   * reversal: `whole` is the amount of its reference, `other` is any other amount.
   */
  readonly amount: number | "all" | "beyond" | "whole" | "other";
  /** A reversal's reference: the index of the callback that it reverses. */
  readonly of?: number;
}

export interface Send {
  /** The index of the callback to send. The same index again is a repeat. */
  readonly send: number;
  /** The number of copies that are sent at once; 1 by default. */
  readonly copies?: number;
  /** Sends one more copy, and closes its connection this many milliseconds later. */
  readonly cut?: number;
}

export interface Script {
  /** The minimum balance at the start, in minor units. */
  readonly start: number;
  readonly callbacks: readonly Definition[];
  /** All sends of a step start at once. The next step begins after all of them are answered. */
  readonly steps: readonly (readonly Send[])[];
}

/** @throws Error with the fault, when the value is not a script. */
export function readScript(value: unknown): Script {
  const script = value as Script;
  const isIndex = (index: unknown): boolean =>
    Number.isInteger(index) && (script.callbacks[index as number] ?? undefined) !== undefined;
  if (
    typeof script !== "object" ||
    script === null ||
    !Number.isInteger(script.start) ||
    !Array.isArray(script.callbacks) ||
    !Array.isArray(script.steps)
  )
    throw new Error("a script has start, callbacks and steps");
  for (const [i, { action, of }] of script.callbacks.entries()) {
    if (!["bet", "win", "refund", "rollback"].includes(action))
      throw new Error(`callback ${i}: no such action: ${action}`);
    const isReversal = action === "refund" || action === "rollback";
    if (isReversal !== isIndex(of) || (isReversal && (of ?? 0) >= i))
      throw new Error(
        `callback ${i}: \`of\` must be the index of an earlier callback, for refunds and rollbacks alone`,
      );
  }
  for (const send of script.steps.flat()) if (!isIndex(send.send)) throw new Error(`no callback ${send.send}`);
  return script;
}

/**
 * Whether the rules allow only one result for this history. The rules allow two results for a refund that names a win
 * (or a rollback that names a bet) if that transaction has not arrived yet: the wallet may leave a tombstone for any
 * transaction, or for bets only.
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
