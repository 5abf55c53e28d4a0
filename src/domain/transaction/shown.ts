import { type DbTime, NEVER, type ResolvedBy, type Transaction } from "./transaction.ts";

/** What callers are shown of a row, apart from the fields that they are shown as they are. */
interface Shown {
  /** The wallet's code if the transaction has failed, else null. */
  readonly error: string | null;
  /** The balance of the wallet's reply; null: the transaction is no success, or its balance is not known. */
  readonly balanceMinor: bigint | null;
  /** When the service sends the transaction (again); null: it will not, or this is not known. */
  readonly nextAttemptAt: DbTime | null;
  /** What ended the transaction; null: its first call ended it, or it has not ended. */
  readonly resolvedBy: ResolvedBy;
}

/** All protocols and files show a transaction's state by this function, so they cannot differ. */
export const shown = (row: Transaction): Shown => ({
  error: row.status === "failed" ? row.error : null,
  balanceMinor: row.status === "success" ? row.balanceMinor : null,
  nextAttemptAt: row.nextAt === NEVER ? null : row.nextAt,
  // A transaction that was opened again keeps the old value in its row until it ends again.
  resolvedBy: row.status === "pending" ? null : row.resolvedBy,
});
