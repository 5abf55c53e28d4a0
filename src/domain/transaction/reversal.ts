/** The rules that connect a reversal and the transaction that it names (docs/specification/reversals.md). */
import type { WholeMs } from "../values/whole-ms.ts";
import { type Content, isReversal, quietInMs, type Transaction } from "./transaction.ts";

/** The wallet's code if it has not applied the transaction that a reversal names. */
export const NOT_FOUND = "TRANSACTION_NOT_FOUND";

/** The action that a reversal reverses. */
const reversedAction = (action: "refund" | "rollback"): "bet" | "win" => (action === "refund" ? "bet" : "win");

/**
 * The field in which a reversal contradicts the transaction that it names: its action, amount, currency or player. If
 * that row is void and a reversal has marked it, only its action is known, so only its action can be contradicted. If
 * it is void and without a mark, nothing can be contradicted.
 */
export function referenceMismatch(reversal: Content, reversed: Transaction): string | undefined {
  if (!isReversal(reversal.action)) return undefined;
  if (reversed.status === "void" && reversed.reversedBy === null && !isReversal(reversed.action)) return undefined;
  if (reversedAction(reversal.action) !== reversed.action) return "ref_tx_id";
  if (reversed.status === "void") return undefined;
  if (reversal.amountMinor !== reversed.amountMinor) return "amount";
  if (reversal.currency !== reversed.currency) return "currency";
  return reversal.playerId === reversed.playerId ? undefined : "player_id";
}

/** The content of the row for an original that never came. It is computed from the original's reversal. */
export function unseenOriginal(reversal: Content): Content {
  if (!isReversal(reversal.action) || reversal.refTxId === null) throw new Error("a reversal names what it reverses");
  return { ...reversal, txId: reversal.refTxId, action: reversedAction(reversal.action), refTxId: null };
}

/**
 * The milliseconds until a rollback releases its win (docs/specification/reversals.md#rev-win-released). A rollback
 * that failed with another code than TRANSACTION_NOT_FOUND holds its win until no late copy of the rollback can reach
 * the wallet. `undefined`: the reversal holds its original until the reversal ends, or for ever.
 */
export function releasedInMs(reversal: Transaction | undefined, quietPeriodMs: number): WholeMs | undefined {
  const releases = reversal?.action === "rollback" && reversal.status === "failed" && reversal.error !== NOT_FOUND;
  return releases ? quietInMs(reversal, quietPeriodMs) : undefined;
}

/** Whether a rollback no longer holds its win. */
export const isReleased = (reversal: Transaction | undefined, quietPeriodMs: number): boolean =>
  releasedInMs(reversal, quietPeriodMs) === 0;
