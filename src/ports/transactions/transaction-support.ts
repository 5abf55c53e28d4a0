import type { LeaseToken, RowChange, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";
import type { NewAuditEntry } from "../admin-store.ts";

/** Closes transactions for support. */
export abstract class TransactionSupport {
  /**
   * Closes a pending row, and the row that it reverses when that changes too, in one statement; the audit entry is
   * written in the same database transaction. Applies while both rows are as they were seen, neither has a live lease,
   * and the row has been pending for longer than `horizonMs`. A dead lease is logged as an attempt without an end.
   * `false`: nothing was written.
   */
  abstract resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean>;
}

export interface ResolveLine {
  readonly key: TxKey;
  readonly seen: Pick<Transaction, "leaseToken" | "reversedBy">;
  /** Replaces the tokens of both rows, so that a late attempt does not take this result for its own. */
  readonly token: LeaseToken;
  readonly horizonMs: number;
  readonly change: RowChange;
  /** The row that a reversal reverses; `change` null: that row stays as it is. */
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: RowChange | null };
}
