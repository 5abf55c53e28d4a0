/**
 * What a request may do with the row that exists (docs/specification/transactions.md#tx-repeat and
 * docs/specification/reversals.md#rev-original-answers). Pure: the rows and the quiet period decide.
 */
import type { Refusal } from "../errors.ts";
import type { TxId, TxKey } from "../values/identifiers.ts";
import { firstDifference } from "./idempotency.ts";
import { isReleased, referenceMismatch } from "./reversal.ts";
import {
  type Answer,
  answerOf,
  type Content,
  type DbTime,
  isCredit,
  isInFlight,
  isQuiet,
  isReversal,
  type Transaction,
} from "./transaction.ts";

/** What to do with a request whose row exists. */
export type Decision =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  /** The row answers; the wallet is not called. */
  | { readonly do: "answer"; readonly answer: Answer }
  /** A call of this key is in flight somewhere: wait for its end, then decide again. */
  | { readonly do: "wait"; readonly key: TxKey; readonly until: DbTime }
  /** Take the row over (its token is the fence) and call the wallet. `quiet` matters to a reversal's settle. */
  | { readonly do: "call"; readonly row: Transaction; readonly quiet: boolean }
  /** A void bet or win that no reversal has marked: write this request's content into it. */
  | { readonly do: "adopt"; readonly row: Transaction }
  /** A reversal whose mark is still free: try to win it. */
  | { readonly do: "mark"; readonly row: Transaction }
  /** Another reversal owns the mark: this request counts as a repeat of that one. */
  | { readonly do: "follow"; readonly owner: TxId };

const mismatch = (field: string): Decision => ({ do: "refuse", refusal: { code: "TRANSACTION_MISMATCH", field } });
const answer = (row: Transaction): Decision => ({ do: "answer", answer: answerOf(row) });
const wait = (row: Transaction): Decision => ({ do: "wait", key: row, until: row.leaseUntil ?? row.readAt });

/**
 * Decides about a bet or win whose row exists.
 *
 * @param request - the request's content; null when the resend worker decides, which has no request.
 * @param reversal - the row that `row.reversedBy` names; undefined when there is none.
 */
export function decideOriginal(
  row: Transaction,
  request: Content | null,
  reversal: Transaction | undefined,
  quietPeriodMs: number,
): Decision {
  if (row.status === "void") return decideVoid(row, request);
  const field = request === null ? undefined : firstDifference(row, request);
  if (field !== undefined) return mismatch(field);
  if (row.reversedBy !== null && !isReleased(reversal, quietPeriodMs)) return decideReversed(row, reversal);
  if (row.status === "success") return answer(row);
  if (row.status === "failed" && !mayReopen(row, request)) return answer(row);
  if (isInFlight(row)) return wait(row);
  return { do: "call", row, quiet: true };
}

/** The row of a bet or win that only its reversal has named so far. */
function decideVoid(row: Transaction, request: Content | null): Decision {
  if (request === null) return answer(row);
  // A void row without a mark was left by a reversal that never started. Any bet or win may take its id.
  if (row.reversedBy === null && !isReversal(request.action)) return { do: "adopt", row };
  if (row.action !== request.action) return mismatch("action");
  return { do: "refuse", refusal: { code: "TRANSACTION_REVERSED" } };
}

/** A bet or win whose reversal holds it: it is not sent again. */
function decideReversed(row: Transaction, reversal: Transaction | undefined): Decision {
  // A rejection that its callers got stays their answer, whatever became of the reversal.
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
  request: Content | null,
  reversed: Transaction,
  quietPeriodMs: number,
): Decision {
  const field = (request === null ? undefined : firstDifference(row, request)) ?? referenceMismatch(row, reversed);
  if (field !== undefined) return mismatch(field);
  if (row.status === "void") {
    if (reversed.reversedBy === null) return { do: "mark", row };
    return { do: "follow", owner: reversed.reversedBy };
  }
  if (row.status === "success" || (row.status === "failed" && !mayReopen(row, request))) return answer(row);
  if (isInFlight(row)) return wait(row);
  if (isInFlight(reversed)) return wait(reversed);
  const quiet = isQuiet(reversed, quietPeriodMs);
  // A wallet may keep its rejection of a rollback for ever, so it is not called while the win can still reach it.
  if (row.action === "rollback" && !quiet) return answer(row);
  return { do: "call", row, quiet };
}
