/** Decides which transactions are stuck money (docs/specification/console.md#console-stuck). The functions are pure. */
import { type Action, isCredit, type ResolvedBy, type State } from "./transaction.ts";

/**
 * Why money is stuck. `retrying`: a credit is pending, and the service still sends it. `unanswered`: a credit is pending
 * past its horizon. `owed`: a credit failed, so the merchant owes it to the player. `pending`: a bet or rollback is
 * pending past its horizon. `contradiction`: the wallet contradicted itself. `slip`: a slip does not end.
 */
export const STUCK_KINDS = ["retrying", "unanswered", "owed", "pending", "contradiction", "slip"] as const;
export type StuckKind = (typeof STUCK_KINDS)[number];

/** A slip is stuck if it has not ended after this time, in ms. */
export const SLIP_STUCK_AFTER_MS = 600_000;

/** What is known of a changed row when it gets its number. */
interface Numbered {
  readonly status: State["status"];
  readonly action: Action;
  /** Whether the wallet refused the transaction, now or before. */
  readonly refused: boolean;
  /** Whether something else than its first call ended the transaction. */
  readonly endedLater: boolean;
}

/**
 * Whether the check of stuck money must read a changed row again. `check`: the transaction may be owed or a
 * contradiction now. `over`: it may have been stuck, and is not any more. undefined: it is not stuck and never was. So
 * nothing is written for nearly all transactions.
 */
export function stuckChange({ status, action, refused, endedLater }: Numbered): "check" | "over" | undefined {
  if (status === "failed") return action === "bet" ? undefined : "check";
  if (status !== "success") return undefined;
  if (refused) return "check";
  return isCredit(action) && endedLater ? "over" : undefined;
}

type Ended = State & { readonly action: Action; readonly resolvedBy: ResolvedBy };

/** Whether a contradiction has ended by itself: the credit was sent again, and the wallet accepted it. */
export const hasSettled = (row: Ended): boolean =>
  row.status === "success" && isCredit(row.action) && row.rejected === undefined;
