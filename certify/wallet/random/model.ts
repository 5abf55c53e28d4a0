/** The rules of a wallet for one player, without I/O: the correct answer to a callback after all earlier callbacks. */
import type { Callback } from "../calls/callback.ts";
import type { Meaning } from "../calls/reply.ts";

export type Answer = { readonly kind: "accepted"; readonly balance: bigint } | { readonly kind: "rejected" };

const REJECTED: Answer = { kind: "rejected" };

export class Model {
  balance: bigint;
  /** The answer to every later copy. */
  readonly #final: Map<string, Answer>;
  readonly #applied: Map<string, Callback>;
  readonly #reversed: Set<string>;
  readonly #tombstones: Set<string>;

  constructor(balance: bigint, from: Model | null = null) {
    this.balance = balance;
    this.#final = new Map(from === null ? [] : from.#final);
    this.#applied = new Map(from === null ? [] : from.#applied);
    this.#reversed = new Set(from === null ? [] : from.#reversed);
    this.#tombstones = new Set(from === null ? [] : from.#tombstones);
  }

  copy(): Model {
    return new Model(this.balance, this);
  }

  /** `observed`: the wallet's real answer, for the cases in which the rules allow two answers. */
  judge(callback: Callback, observed: Meaning | undefined): Answer {
    const { tx_id = "", action, amount = 0n, ref_tx_id } = callback.fields;
    const stored = this.#final.get(tx_id);
    if (stored !== undefined) return stored;
    if (!this.#isRight(callback, observed)) {
      if (action === "bet" || action === "rollback") this.#final.set(tx_id, REJECTED);
      return REJECTED;
    }
    this.balance += action === "bet" || action === "rollback" ? -amount : amount;
    const answer: Answer = { kind: "accepted", balance: this.balance };
    this.#final.set(tx_id, answer);
    this.#applied.set(tx_id, callback);
    if (ref_tx_id !== undefined) this.#reversed.add(ref_tx_id);
    return answer;
  }

  #isRight(
    { fields: { tx_id = "", action, amount = 0n, ref_tx_id } }: Callback,
    observed: Meaning | undefined,
  ): boolean {
    if (this.#tombstones.has(tx_id)) return false;
    if (ref_tx_id === undefined) return action === "win" || this.balance >= amount;
    const original = this.#applied.get(ref_tx_id);
    if (original === undefined) {
      this.#tombstones.add(ref_tx_id);
      return false;
    }
    const { fields } = original;
    if (
      fields.action !== (action === "refund" ? "bet" : "win") ||
      fields.amount !== amount ||
      this.#reversed.has(ref_tx_id)
    )
      return false;
    // A wallet may reject a rollback that would make the balance negative.
    return !(action === "rollback" && this.balance < amount && observed?.kind === "rejected");
  }
}
