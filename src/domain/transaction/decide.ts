/**
 * What a request may do with the row that exists (docs/specification/transactions.md#tx-repeat and
 * docs/specification/reversals.md#rev-original-answers). The functions are pure: the result depends only on the rows
 * and the quiet period.
 */
import type { Refusal } from "../errors.ts";
import type { TxId, TxKey } from "../values/identifiers.ts";
import { firstDifference } from "./idempotency.ts";
import { isReleased, referenceMismatch, sealedRefusal } from "./reversal.ts";
import { betRefusal, settledRefusal } from "./settlement.ts";
import {
  type Answer,
  answerOf,
  type Content,
  type DbTime,
  isCredit,
  isInFlight,
  isOfPlay,
  isQuiet,
  isReversal,
  isSealed,
  type Transaction,
  type TransactionRequest,
} from "./transaction.ts";

/** What to do with a request whose row exists. */
export type Decision =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  /** The caller gets the answer that the row has; the wallet is not called. */
  | { readonly do: "answer"; readonly answer: Answer }
  /** A call for the transaction `key` is in flight: wait for its end, then decide again. */
  | { readonly do: "wait"; readonly key: TxKey; readonly until: DbTime }
  /**
   * Take the row over (only if its token has not changed) and call the wallet. `quiet`: for a reversal, whether the
   * quiet period of the reversed row has passed; for a bet or win it has no meaning.
   */
  | { readonly do: "call"; readonly row: Transaction; readonly quiet: boolean }
  /** The row is a void bet or win that no reversal has marked. Write this request's content into it. */
  | { readonly do: "adopt"; readonly row: Transaction }
  /** The row is a reversal, and no reversal has marked its original. Try to set the mark. */
  | { readonly do: "mark"; readonly row: Transaction }
  /** Another reversal has marked the original. This request counts as a repeat of that reversal. */
  | { readonly do: "follow"; readonly owner: TxId };

const mismatch = (field: string): Decision => ({ do: "refuse", refusal: { code: "TRANSACTION_MISMATCH", field } });
const answer = (row: Transaction): Decision => ({ do: "answer", answer: answerOf(row) });
const wait = (row: Transaction): Decision => ({ do: "wait", key: row, until: row.leaseUntil ?? row.readAt });

/**
 * Decides about a bet or win whose row exists.
 *
 * @param request - the request's content; null when the resend worker decides, which has no request.
 * @param reversal - the row that `row.reversedBy` names; undefined when there is none.
 * @param bet - the row of the bet that the request names; undefined when there is none. It is needed only if `row` is
 *   void.
 */
export function decideOriginal(
  row: Transaction,
  request: Content | null,
  reversal: Transaction | undefined,
  quietPeriodMs: number,
  bet?: Transaction,
): Decision {
  if (row.status === "void") return decideVoid(row, request, bet);
  const field = request === null ? undefined : firstDifference(row, request);
  if (field !== undefined) return mismatch(field);
  if (row.reversedBy !== null && !isReleased(reversal, quietPeriodMs)) return decideReversed(row, reversal);
  if (row.status === "success") return answer(row);
  if (row.status === "failed" && !mayReopen(row, request)) return answer(row);
  if (isInFlight(row)) return wait(row);
  return { do: "call", row, quiet: true };
}

/** Decides about a bet or win whose row is void: only a reversal has named it, or it waits for the bet of its Play. */
function decideVoid(row: Transaction, request: Content | null, bet: Transaction | undefined): Decision {
  if (request === null) return answer(row);
  if (isSealed(row)) return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
  // A void row without a mark was left by a reversal that never began. Any bet or win may use this row's id.
  // A win that waits for its bet has its content already.
  if (row.reversedBy === null && !isReversal(request.action)) {
    const field = isOfPlay(row) ? firstDifference(row, request) : undefined;
    if (field !== undefined) return mismatch(field);
    const refusal = betRefusal(request, bet);
    return refusal === undefined ? { do: "adopt", row } : { do: "refuse", refusal };
  }
  if (row.action !== request.action) return mismatch("action");
  return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
}

/** Decides about a bet or win that its reversal holds: no process sends it again. */
function decideReversed(row: Transaction, reversal: Transaction | undefined): Decision {
  // If the callers once got a rejection, they get it again, whatever happened to the reversal.
  if (row.status === "failed" || (row.status === "success" && row.rejected !== undefined)) return answer(row);
  if (row.status === "pending" || reversal === undefined || reversal.status === "pending") {
    return { do: "answer", answer: { status: "pending", txId: row.txId } };
  }
  if (reversal.status === "success") return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
  return answer(row);
}

/**
 * Only a request sends a rejected credit again (docs/specification/transactions.md#tx-credit-reopens); the worker never
 * does.
 */
const mayReopen = (row: Transaction, request: Content | null): boolean => request !== null && isCredit(row.action);

/**
 * Decides about a refund or rollback whose row exists.
 *
 * @param request - the request's content; null when the resend worker decides.
 * @param reversed - the row that the reversal names.
 */
export function decideReversal(
  row: Transaction,
  request: TransactionRequest | null,
  reversed: Transaction,
  quietPeriodMs: number,
): Decision {
  const sealed = sealedRefusal(reversed);
  if (sealed !== undefined) return { do: "refuse", refusal: sealed };
  const field = (request === null ? undefined : firstDifference(row, request)) ?? referenceMismatch(row, reversed);
  if (field !== undefined) return mismatch(field);
  if (row.status === "void") {
    if (reversed.reversedBy === null) {
      const refusal = request === null ? undefined : settledRefusal(request, reversed);
      return refusal === undefined ? { do: "mark", row } : { do: "refuse", refusal };
    }
    return { do: "follow", owner: reversed.reversedBy };
  }
  if (row.status === "success" || (row.status === "failed" && !mayReopen(row, request))) return answer(row);
  if (isInFlight(row)) return wait(row);
  if (isInFlight(reversed)) return wait(reversed);
  const quiet = isQuiet(reversed, quietPeriodMs);
  // The wallet may repeat its rejection of a rollback for ever. So the rollback is not sent while the win can still
  // reach the wallet.
  if (row.action === "rollback" && !quiet) return answer(row);
  return { do: "call", row, quiet };
}
