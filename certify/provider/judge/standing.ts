/** The state of transactions, as the provider can derive it from the answers that it got. */

import { mayRepeat } from "../aggregator/refusal.ts";
import { type Call, isMoney } from "../aggregator/session.ts";

/** The calls of one `tx_id`, in order. */
export interface Transaction {
  readonly method: Call["method"];
  readonly txId: string;
  readonly first: Call;
  readonly calls: readonly Call[];
}

export type Standing =
  /** No answer has come yet, or no answer shows the outcome. */
  | "open"
  /** OVERLOADED: nothing was recorded. */
  | "unrecorded"
  /** A win or refund is PENDING: the service delivers it. */
  | "delivered"
  | "success"
  | "failed"
  /** A gRPC error that a repeat cannot change. */
  | "refused";

export function transactionsOf(calls: readonly Call[]): Transaction[] {
  const byId = Map.groupBy(calls.filter(isMoney), ({ method, txId }) => `${method} ${txId}`);
  return [...byId.values()].map((own) => {
    const first = own[0] as Call;
    return { method: first.method, txId: first.txId, first, calls: own };
  });
}

export const isFinal = (standing: Standing): boolean =>
  standing === "success" || standing === "failed" || standing === "refused";

/** The state after the answers until this moment; by default after all answers. The first final answer counts. */
export function standingOf({ method, calls }: Transaction, until = Number.POSITIVE_INFINITY): Standing {
  let standing: Standing = "unrecorded";
  for (const call of calls) {
    if (call.at > until) break;
    const now = standingAfter(call, until, method === "PlaceBet" || method === "RollbackWin");
    if (isFinal(now)) return now;
    if (now !== "unrecorded") standing = now;
  }
  return standing;
}

/** The call with the first final answer; undefined: no call has a final answer. */
export const finalCall = (transaction: Transaction): Call | undefined =>
  transaction.calls.find(({ answeredAt }) => answeredAt !== undefined && isFinal(standingOf(transaction, answeredAt)));

function standingAfter({ answer, answeredAt }: Call, until: number, isDebit: boolean): Standing {
  if (answer === undefined || answeredAt === undefined || answeredAt > until) return "open";
  if (answer.kind === "success" || answer.kind === "failed") return answer.kind;
  if (answer.kind === "pending") return isDebit ? "open" : "delivered";
  if (answer.kind === "none") return "open";
  if (!mayRepeat(answer.code)) return "refused";
  return answer.code === "OVERLOADED" ? "unrecorded" : "open";
}

export const betsOf = (transactions: readonly Transaction[]): Transaction[] =>
  transactions.filter(({ method }) => method === "PlaceBet");
/** A win of 0 is left out, because it moves no money: some providers end a lost round with it. */
export const winsOf = (transactions: readonly Transaction[]): Transaction[] =>
  transactions.filter(({ method, first }) => method === "PayWin" && first.amountMinor > 0n);
export const refundsOf = (transactions: readonly Transaction[], bet?: Transaction): Transaction[] =>
  transactions.filter(
    ({ method, first }) => method === "RefundBet" && (bet === undefined || first.refTxId === bet.txId),
  );
