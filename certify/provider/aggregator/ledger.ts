/**
 * The transactions of a pass: the state that a real service and a wallet would have together. Ids are compared, and
 * answers are stored, by the rules of docs/specification/transactions.md and docs/specification/reversals.md.
 */

import type { Refusal } from "./refusal.ts";
import type { Answer, Call } from "./session.ts";

export interface Row {
  readonly first: Call;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  status: "pending" | "success" | "failed";
  error: string;
  /** The balance after the transaction, in minor units. */
  balanceMinor: bigint;
}

/** The result of a call: an answer or a refusal. */
export type Judged = { readonly answer: Answer } | { readonly refusal: Refusal };

export class Ledger {
  readonly #provider: string;
  readonly #rows = new Map<string, Row>();
  /** The only reversal of each transaction. Key: the id of the reversed transaction. */
  readonly #reversals = new Map<string, string>();

  /** The win that settled a bet. Key: the bet's id. */
  readonly #settlements = new Map<string, string>();
  /** When rounds ended, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>();

  /** `provider`: the provider's code, which begins each wire id. */
  constructor(provider: string) {
    this.#provider = provider;
  }

  /** The record with this id. A second reversal of one transaction has none. */
  row(txId: string): Row | undefined {
    return this.#rows.get(txId);
  }

  /** All records with their ids, oldest first. */
  rows(): readonly (readonly [txId: string, row: Row])[] {
    return [...this.#rows];
  }

  /** The id of the only reversal of a transaction. */
  reversalOf(txId: string): string | undefined {
    return this.#reversals.get(txId);
  }

  /** Marks an unknown id for ever: whatever still comes under it is refused. */
  mark(txId: string, by: string): void {
    if (!this.#reversals.has(txId)) this.#reversals.set(txId, by);
  }

  /** Ends a round. The first end stays. Returns when the round ended. */
  endRound(roundId: string): number {
    const at = this.#ends.get(roundId) ?? Date.now();
    this.#ends.set(roundId, at);
    return at;
  }

  /** When the round ended; undefined: it has not ended. */
  endOf(roundId: string): number | undefined {
    return this.#ends.get(roundId);
  }

  /** Whether the provider has ended any round. */
  get endsRounds(): boolean {
    return this.#ends.size > 0;
  }

  /** Whether an earlier reversal, under whatever id, has reversed what this call reverses. */
  isReversed({ refTxId }: Call): boolean {
    return refTxId !== "" && this.#rows.get(this.#reversals.get(refTxId) ?? "")?.status === "success";
  }

  /** The answer that the records give; undefined: the transaction is new, or its answer is still open. */
  known(call: Call): Judged | undefined {
    const row = this.#rows.get(call.txId);
    const different = row === undefined ? undefined : firstDifference(row.first, call);
    if (different !== undefined) return mismatch(different);
    const reference = this.#referenceMismatch(call);
    if (reference !== undefined) return mismatch(reference);
    const reversal = this.#reversals.get(call.txId);
    if (reversal !== undefined && row?.status !== "failed") {
      const isOver = this.#rows.get(reversal)?.status !== "pending";
      if (row === undefined || isOver) return { refusal: { code: "TRANSACTION_REVERSED" } };
      return { answer: { kind: "pending", txId: this.#wireId(call.txId) } };
    }
    const isCredit = call.method === "PayWin" || call.method === "RefundBet";
    return row?.status === "success" || (row?.status === "failed" && !isCredit)
      ? { answer: this.#answerOf(call.txId, row) }
      : undefined;
  }

  /** The refusal of a new win that names its bet, or of a refund of a settled bet (docs/specification/settlements.md). */
  unsettled({ method, txId, refTxId, further: { betTxId, settles, unlessSettled } }: Call): Refusal | undefined {
    const settledBy = this.#settlements.get(betTxId || refTxId);
    if (method === "RefundBet" && unlessSettled && settledBy !== undefined) return { code: "BET_SETTLED" };
    if (method !== "PayWin" || betTxId === "") return undefined;
    const bet = this.#rows.get(betTxId);
    const field = "bet_tx_id";
    if (this.#reversals.has(betTxId)) return { code: "TRANSACTION_REVERSED", field };
    if (bet === undefined || bet.status === "failed") return { code: "BET_NOT_FOUND", field };
    if (bet.first.method !== "PlaceBet") return { code: "TRANSACTION_MISMATCH", field };
    if (settles && settledBy !== undefined && settledBy !== txId) return { code: "BET_SETTLED", field };
    return bet.status === "pending" ? { code: "BET_PENDING", field } : undefined;
  }

  /** Records that this win has settled its bet. */
  settle({ txId, further: { betTxId, settles } }: Call): void {
    if (settles && !this.#settlements.has(betTxId)) this.#settlements.set(betTxId, txId);
  }

  /** Records that the outcome is unknown. */
  leaveOpen(call: Call): Answer {
    const id = this.#begin(call);
    return { kind: "pending", txId: this.#wireId(id) };
  }

  fail(call: Call, error: string): Answer {
    const id = this.#begin(call);
    const row = this.#rows.get(id) as Row;
    row.status = "failed";
    row.error = error;
    return this.#answerOf(id, row);
  }

  /** Applies the transaction, as a correct wallet does. */
  apply(call: Call): Answer {
    const { session, amountMinor } = call;
    if (session === undefined) throw new Error("a call without a session is never applied");
    const { player } = session;
    if (call.method === "PlaceBet" && player.balanceMinor < amountMinor) return this.fail(call, "INSUFFICIENT_FUNDS");
    const reversed = this.#rows.get(call.refTxId);
    const isReversal = call.method === "RefundBet" || call.method === "RollbackWin";
    if (isReversal && (reversed === undefined || reversed.status === "failed"))
      return this.fail(call, "TRANSACTION_NOT_FOUND");
    const id = this.#begin(call);
    const row = this.#rows.get(id) as Row;
    if (row.status !== "success")
      player.balanceMinor += call.method === "PlaceBet" || call.method === "RollbackWin" ? -amountMinor : amountMinor;
    row.status = "success";
    row.balanceMinor = player.balanceMinor;
    return this.#answerOf(id, row);
  }

  /** Creates the row. A second reversal of one transaction counts as a repeat of the first. Returns the row's id. */
  #begin(call: Call): string {
    const { method, txId, refTxId } = call;
    const isReversal = method === "RefundBet" || method === "RollbackWin";
    const id = isReversal ? (this.#reversals.get(refTxId) ?? txId) : txId;
    if (isReversal) this.#reversals.set(refTxId, id);
    if (!this.#rows.has(id))
      this.#rows.set(id, { first: call, createdAt: Date.now(), status: "pending", error: "", balanceMinor: 0n });
    return id;
  }

  #referenceMismatch({ method, refTxId, amountMinor, currency, session }: Call): string | undefined {
    if (method !== "RefundBet" && method !== "RollbackWin") return undefined;
    const reversed = this.#rows.get(refTxId)?.first;
    if (reversed === undefined) return undefined;
    if (reversed.method !== (method === "RefundBet" ? "PlaceBet" : "PayWin")) return "ref_tx_id";
    if (reversed.amountMinor !== amountMinor) return "amount";
    if (reversed.currency !== currency) return "currency";
    return reversed.session?.player === session?.player ? undefined : "player_id";
  }

  #answerOf(id: string, { first, status, error, balanceMinor }: Row): Answer {
    const txId = this.#wireId(id);
    if (status === "pending") return { kind: "pending", txId };
    if (status === "failed") return { kind: "failed", error, txId };
    const isTaken = first.method === "PlaceBet" || first.method === "RollbackWin";
    const balanceBeforeMinor = balanceMinor + (isTaken ? first.amountMinor : -first.amountMinor);
    return { kind: "success", balanceMinor, balanceBeforeMinor, txId };
  }

  #wireId(own: string): string {
    return `${this.#provider}:${own}`;
  }
}

const mismatch = (field: string): Judged => ({ refusal: { code: "TRANSACTION_MISMATCH", field } });

/** The first field of the content that differs (docs/specification/transactions.md#tx-content). */
export function firstDifference(a: Call, b: Call): string | undefined {
  if (a.method !== b.method) return "action";
  if (a.amountMinor !== b.amountMinor) return "amount";
  if (a.currency !== b.currency) return "currency";
  if (a.session?.player !== b.session?.player) return "player_id";
  if (a.roundId !== b.roundId) return "round_id";
  if (a.refTxId !== b.refTxId) return "ref_tx_id";
  if (a.further.betTxId !== b.further.betTxId) return "bet_tx_id";
  if (a.further.settles !== b.further.settles) return "settles";
  return (a.game || a.session?.game) === (b.game || b.session?.game) ? undefined : "game";
}
