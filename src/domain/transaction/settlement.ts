/**
 * The rules that connect a win and the bet that it names (docs/specification/settlements.md), also in a Play (docs/specification/play.md). The statement that makes
 * the win a transaction checks them again, because the bet may have changed since it was read.
 */
import type { Refusal } from "../errors.ts";
import { firstDifference } from "./idempotency.ts";
import { type Content, isOfPlay, isSealed, type Transaction, type TransactionRequest } from "./transaction.ts";

/**
 * Why a new win may not be paid because of the bet that it names. `undefined`: it may be paid, or it names no bet.
 *
 * @param bet - the row with the bet's id.
 */
export function betRefusal(win: Content, bet: Transaction | undefined): Refusal | undefined {
  if (win.bet === undefined) return undefined;
  const field = "bet_tx_id";
  if (bet === undefined || (bet.status === "void" && bet.reversedBy === null)) return { code: "BET_NOT_FOUND", field };
  if (isSealed(bet)) return { code: "TRANSACTION_REVERSED", field };
  if (bet.action !== "bet") return { code: "TRANSACTION_MISMATCH", field };
  const differs = bet.currency !== win.currency ? "currency" : bet.playerId !== win.playerId ? "player_id" : undefined;
  if (win.bet.settles && bet.settledBy === win.txId && differs === undefined) {
    // A win of 0 with this id has settled the bet. It has no row, so only the bet knows of it.
    return win.amountMinor === 0n ? undefined : { code: "TRANSACTION_MISMATCH", field: "amount" };
  }
  if (bet.reversedBy !== null) return { code: "TRANSACTION_REVERSED", field };
  if (differs !== undefined) return { code: "TRANSACTION_MISMATCH", field: differs };
  if (win.bet.settles && bet.settledBy !== null) return betSettled(field, bet.settledBy);
  if (bet.status === "pending") return { code: "BET_PENDING", field };
  return bet.status === "failed" ? { code: "BET_NOT_FOUND", field } : undefined;
}

/** Why a refund with the condition `unlessSettled` may not begin. `undefined`: its bet is not settled. */
export const settledRefusal = (refund: TransactionRequest, bet: Transaction): Refusal | undefined =>
  refund.unlessSettled === true && bet.settledBy !== null ? betSettled("ref_tx_id", bet.settledBy) : undefined;

const betSettled = (field: string, settledBy: string): Refusal => ({
  code: "BET_SETTLED",
  field,
  metadata: { settled_by: settledBy },
});

/** The name of a field of a Play's win in refusals. Fields of the bet have no prefix. */
export const ofWin = (field: string): string => `win.${field}`;

/**
 * Why a repeat of a Play is refused although its bet has the stored content: the bet was stored with another win, or the
 * win has other content. `undefined`: nothing differs, or the bet was stored without a win.
 *
 * @param won - the row with the win's id.
 */
export function playRefusal(bet: Transaction, win: Content, won: Transaction | undefined): Refusal | undefined {
  const field =
    bet.playWin !== null && bet.playWin !== win.txId
      ? "tx_id"
      : won === undefined || (won.status === "void" && !isOfPlay(won))
        ? undefined
        : firstDifference(won, win);
  return field === undefined ? undefined : { code: "TRANSACTION_MISMATCH", field: ofWin(field) };
}

/**
 * Why the win of a new Play can never be paid, so that its bet is not sent; `undefined`: it waits for the bet.
 *
 * @param won - the row with the win's id, which existed before. A void row that is no win of a Play and has no mark
 *   restricts nothing.
 */
export function unpayable(win: Content, won: Transaction): "TRANSACTION_MISMATCH" | "TRANSACTION_REVERSED" | undefined {
  if (won.status === "void" && won.reversedBy !== null)
    return won.action === win.action || won.resolvedBy === "sealed" ? "TRANSACTION_REVERSED" : "TRANSACTION_MISMATCH";
  if (won.status === "void" && !isOfPlay(won)) return undefined;
  return firstDifference(won, win) === undefined ? undefined : "TRANSACTION_MISMATCH";
}
