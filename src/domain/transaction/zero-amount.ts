/** What a request of amount 0 may not do. It is neither written nor sent, so only what is already there can be against it. */
import type { Refusal } from "../errors.ts";
import { firstDifference } from "./idempotency.ts";
import { type Content, decideOriginal, isReversal, referenceMismatch, type Transaction } from "./transaction.ts";

/**
 * Why a request of amount 0 is refused: with the code that the same request of another amount would get, for no row has amount 0. A reversal
 * of 0 whose reference is known names the request's own field, `amount_minor`. `undefined`: nothing moves, and it succeeds.
 *
 * @param row - what has the request's id.
 * @param reversed - what a refund or rollback names. One that nobody has seen contradicts nothing: a bet of 0 leaves no row.
 */
export function refusalOfZero(asked: Content, row: Transaction | undefined, reversed: Transaction | undefined): Refusal | undefined {
  return (row && ownRefusal(asked, row)) ?? (reversed && referenceRefusal(asked, reversed));
}

function ownRefusal(asked: Content, row: Transaction): Refusal | undefined {
  if (isReversal(row.action)) return mismatch(firstDifference(row, asked));
  // It compares contents before anything else, so neither a reversal nor a quiet period matters.
  const decision = decideOriginal(row, asked, undefined, 0);
  return decision.do === "refuse" ? decision.refusal : undefined;
}

function referenceRefusal(asked: Content, reversed: Transaction): Refusal | undefined {
  const field = referenceMismatch(asked, reversed);
  // A void original has no amount of its own, but the reversal that marked it has one.
  if (field === "amount" || (field === undefined && reversed.reversedBy !== null)) return mismatch("amount_minor");
  return mismatch(field);
}

const mismatch = (field: string | undefined): Refusal | undefined => (field === undefined ? undefined : { code: "TRANSACTION_MISMATCH", field });
