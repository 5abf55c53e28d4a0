import type { LeaseToken, RowChange, Status, Transaction } from "../../domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../domain/values/identifiers.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import type { NewAuditEntry } from "../admin-store.ts";

/** Closes transactions for support. */
export abstract class TransactionSupport {
  /**
   * Closes a pending row in one statement, together with the row that it reverses if that row changes too. The audit
   * entry is written in the same database transaction. It applies only if both rows are still as they were read,
   * neither has a live lease, and the row has been pending for longer than `horizonMs`. A dead lease is logged as an
   * attempt without an end. `false`: nothing was written.
   */
  abstract resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean>;
}

export interface ResolveLine {
  readonly key: TxKey;
  readonly seen: Pick<Transaction, "leaseToken" | "reversedBy">;
  /** The new token of both rows. With the old token, a late attempt would take this result for its own. */
  readonly token: LeaseToken;
  readonly horizonMs: WholeMs;
  readonly change: RowChange;
  /** The win that waits for this bet. It becomes pending and due in the same statement. */
  readonly win?: TxId;
  /** The row that a reversal reverses; `change` null: that row stays as it is. */
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: RowChange | null };
}
