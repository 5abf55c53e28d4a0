/** The rules of a wallet, for one callback inside one transaction of the storage. */
import type { Currency } from "../money.ts";
import type { BalanceQuery, Transaction } from "./callback.ts";
import type { Books } from "./storage.ts";

/** The `error` of a rejection, or the balance after the transaction in minor units. */
export type Outcome = { readonly ok: false; readonly error: string } | { readonly ok: true; readonly balance: bigint };

const reject = (error: string): Outcome => ({ ok: false, error });

/** Answers a balance query. `merchantCurrency`: the only currency of the merchant's players. */
export function balanceOf({ player }: Books, { currency }: BalanceQuery, merchantCurrency: Currency): Outcome {
  if (currency !== merchantCurrency) return reject("CURRENCY_MISMATCH");
  return player === undefined ? reject("PLAYER_NOT_FOUND") : { ok: true, balance: player.balance };
}

/** Applies the transaction, unless it was applied or rejected before, or must be rejected now. */
export async function apply(books: Books, transaction: Transaction, merchantCurrency: Currency): Promise<Outcome> {
  const { action, txId, playerId, amount, refTxId } = transaction;
  const known = await books.find(txId);
  if (known?.state === "applied") return { ok: true, balance: known.balance };
  if (known?.state === "rejected") return reject(known.error);
  if (known?.state === "tombstone") return reject("TRANSACTION_REVERSED");
  const error = await objection(books, transaction, merchantCurrency);
  const { player } = books;
  if (error !== undefined || player === undefined) {
    // The service sends a rejected win or refund again on purpose, and the wallet then decides again. The wallet also
    // decides again about a callback that it answered with TRANSACTION_NOT_FOUND.
    const isKept = (action === "bet" || action === "rollback") && error !== "TRANSACTION_NOT_FOUND";
    if (isKept) await books.add({ state: "rejected", txId, error: error ?? "PLAYER_NOT_FOUND" });
    return reject(error ?? "PLAYER_NOT_FOUND");
  }
  const balance = player.balance + (action === "bet" || action === "rollback" ? -amount : amount);
  await books.add({ state: "applied", txId, action, playerId, amount, refTxId, balance });
  await books.setBalance(balance);
  return { ok: true, balance };
}

/** The code of the reason why the transaction can't be applied; undefined: it can be applied. */
async function objection(
  books: Books,
  { action, playerId, currency, amount, refTxId }: Transaction,
  merchantCurrency: Currency,
): Promise<string | undefined> {
  const { player } = books;
  if (currency !== merchantCurrency) return "CURRENCY_MISMATCH";
  if (player === undefined) return "PLAYER_NOT_FOUND";
  if (action === "bet") {
    if (player.blocked) return "PLAYER_BLOCKED";
    return player.balance < amount ? "INSUFFICIENT_FUNDS" : undefined;
  }
  if (refTxId === null) return undefined;
  const original = await books.find(refTxId);
  if (original === undefined) {
    // The original may still arrive. The service does not reverse it after this answer, so a tombstone must stop it.
    await books.add({ state: "tombstone", txId: refTxId });
    return "TRANSACTION_NOT_FOUND";
  }
  if (original.state !== "applied" || original.playerId !== playerId) return "TRANSACTION_NOT_FOUND";
  if (original.action !== (action === "refund" ? "bet" : "win")) return "TRANSACTION_NOT_FOUND";
  if (original.amount !== amount) return "AMOUNT_MISMATCH";
  // A rollback may make the balance negative, because the player may have spent the win.
  return (await books.isReversed(refTxId)) ? "ALREADY_REVERSED" : undefined;
}
