/**
 * When a request of amount 0 is refused (docs/specification/transactions.md#tx-zero). Such a request is neither written
 * nor sent, so only existing rows can contradict it.
 */
import type { Refusal } from "../errors.ts";
import { decideOriginal } from "./decide.ts";
import { firstDifference } from "./idempotency.ts";
import { referenceMismatch, sealedRefusal } from "./reversal.ts";
import { betRefusal } from "./settlement.ts";
import { type Content, isReversal, type Transaction } from "./transaction.ts";

/**
 * The refusal of a request of amount 0. `undefined`: the request succeeds, and no money moves. No row has amount 0, so
 * the request gets the same code as a request with another amount. A reversal of amount 0 whose reference is known is
 * refused, and the refusal names the request's own field `amount_minor`.
 *
 * @param row - the row with the request's id.
 * @param reversed - the row that a refund or rollback names. An unknown reference contradicts nothing: a bet of 0
 *   leaves no row.
 * @param bet - the row of the bet that a win names.
 */
export function refusalOfZero(
  request: Content,
  row: Transaction | undefined,
  reversed: Transaction | undefined,
  bet?: Transaction,
): Refusal | undefined {
  return (
    (row && ownRefusal(request, row, bet)) ??
    (reversed && referenceRefusal(request, reversed)) ??
    betRefusal(request, bet)
  );
}

function ownRefusal(request: Content, row: Transaction, bet: Transaction | undefined): Refusal | undefined {
  if (isReversal(row.action)) return mismatch(firstDifference(row, request));
  // A difference of content is found before a reversal or a quiet period could matter, so neither is passed.
  const decision = decideOriginal(row, request, undefined, 0, bet);
  return decision.do === "refuse" ? decision.refusal : undefined;
}

function referenceRefusal(request: Content, reversed: Transaction): Refusal | undefined {
  const sealed = sealedRefusal(reversed);
  if (sealed !== undefined) return sealed;
  const field = referenceMismatch(request, reversed);
  // A void original has no amount of its own, but the reversal that marked it does.
  if (field === "amount" || (field === undefined && reversed.reversedBy !== null)) return mismatch("amount_minor");
  return mismatch(field);
}

const mismatch = (field: string | undefined): Refusal | undefined =>
  field === undefined ? undefined : { code: "TRANSACTION_MISMATCH", field };
