/** The kinds of differences between a ledger and the service about a transaction, with advice for each kind. */

export type Kind = "missing_here" | "missing_there" | "amount" | "status" | "duplicate";

/** One side's record of a transaction. */
export interface Side {
  readonly action: string;
  /** Decimal text in the major unit, in its shortest form: `2.5`. */
  readonly amount: string;
  readonly currency: string;
  /** For the service success, pending or failed. For the ledger success or failed. */
  readonly status: string;
}

export interface Difference {
  readonly kind: Kind;
  readonly txId: string;
  /** The service's record; null: the service has no record. */
  readonly here: Side | null;
  /** The ledger's record; null: the ledger has no record. */
  readonly there: Side | null;
  /** The lines of the ledger's file, counted from 1. Empty: the ledger has none. */
  readonly lines: readonly number[];
}

/** The meaning of each kind, in the order in which the kinds are listed. */
export const KINDS: Readonly<Record<Kind, string>> = {
  missing_here: "in your ledger, unknown to the service",
  missing_there: "a success at the service, not in your ledger",
  amount: "another action, amount or currency",
  status: "applied on one side, not on the other",
  duplicate: "applied more than once by your wallet",
};

/** The advice to the merchant about a difference. */
export function advice({ kind, here, there, lines }: Difference): string {
  switch (kind) {
    case "missing_here":
      return "The service never sent this transaction to your wallet. Check that the callback's signature was verified, then reverse the transaction. If the signature was correct, ask support.";
    case "missing_there":
      return "Your wallet accepted this callback (ok true). Look for the callback's X-Request-Id (attempt_log of GET /v1/transactions/{tx_id}) in your log, then apply the callback once.";
    case "amount":
      return "Only the callback's body counts, and it never changes: correct your ledger by the difference.";
    case "duplicate":
      return `Reverse every entry except the first (line ${lines[0]}), and make tx_id unique in your ledger: a callback that arrives again gets the stored answer.`;
    case "status":
      return statusAdvice(here, there);
  }
}

function statusAdvice(here: Side | null, there: Side | null): string {
  const isCredit = here?.action === "win" || here?.action === "refund";
  if (there?.status !== "success")
    return "Your wallet accepted this callback (ok true), but your ledger has it as failed: apply the callback once.";
  if (here?.status === "pending") {
    return isCredit
      ? "Your wallet's answer was lost on its way. You need do nothing: the service sends the callback again, and your wallet repeats its answer. To get the callback at once: POST /v1/transactions/{tx_id}/resend."
      : "Your wallet's answer was lost on its way. The bet or rollback is settled when the provider repeats it, or refunds the bet. If the provider does neither, send support the line of your ledger.";
  }
  return isCredit
    ? "Your wallet's last answer was a rejection. Ask for the callback again (POST /v1/transactions/{tx_id}/resend), so that your wallet accepts it."
    : "Your wallet answered with a rejection, so the game counts the transaction as failed: reverse it in your ledger.";
}
