import type { LeaseToken, RowChange, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";
import type { NewAuditEntry } from "../admin-store.ts";

/** Transactions as support closes them. */
export abstract class TransactionSupport {
  /**
   * Closes a pending row, and the row that it reverses where that changes with it, in one statement, with the audit entry beside it: all of
   * it or nothing. Applies while both are as they were seen, no lease of either is live, and the row has been pending for longer than
   * `horizonMs`. A dead lease of either is logged as an attempt without an end. `false`: nothing was written.
   */
  abstract resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean>;
}

export interface ResolveLine {
  readonly key: TxKey;
  readonly seen: Pick<Transaction, "leaseToken" | "reversedBy">;
  /** Replaces the tokens, so that no late attempt takes this end for its own. */
  readonly token: LeaseToken;
  readonly horizonMs: number;
  readonly change: RowChange;
  /** A reversal's reversed row; `change` null: it stays as it is. */
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: RowChange | null };
}
