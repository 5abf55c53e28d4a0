import type { TxId, TxKey } from "../domain/identifiers.ts";
import type { Action, Change, DbTime, LeaseToken, Status, Transaction } from "../domain/transaction.ts";
import type { NewAuditEntry } from "./admin-store.ts";
import type { AttemptResult } from "./transaction-store.ts";

/** Transactions as support reads and closes them. Void rows are no transactions here. */
export abstract class TransactionSupport {
  /** Read where every acknowledged write is seen. */
  abstract find(key: TxKey): Promise<LoggedTransaction | undefined>;

  /** A merchant's transactions, newest first (by creation, then by insertion), at most `limit`. */
  abstract list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]>;

  /**
   * Closes a pending row, and the row that it reverses where that changes with it, in one statement, with the audit entry beside it: all of
   * it or nothing. Applies while both are as they were seen, no lease of either is live, and the row has been pending for longer than
   * `horizonMs`. A dead lease of either is logged as an attempt without an end. `false`: nothing was written.
   */
  abstract resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean>;
}

export interface ListedTransaction {
  /** Order of insertion. */
  readonly id: bigint;
  readonly transaction: Transaction;
  /** How the last attempt that ended did; null: none has. */
  readonly lastResult: AttemptResult | null;
}

export interface LoggedTransaction extends ListedTransaction {
  /** The first 2 000 attempts that ended. */
  readonly log: readonly LoggedAttempt[];
}

/** An attempt of the log; what is null is not known, for its process died. */
export interface LoggedAttempt {
  readonly n: number;
  readonly at: DbTime;
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly result: AttemptResult | null;
  readonly requestId: string | null;
}

/** Transactions that match all that is given. */
export interface TransactionQuery {
  readonly merchantId: number;
  /** Created at or after. */
  readonly from?: DbTime | undefined;
  /** Created before. */
  readonly to?: DbTime | undefined;
  readonly status?: Exclude<Status, "void"> | undefined;
  readonly action?: Action | undefined;
  readonly playerId?: string | undefined;
  readonly roundId?: string | undefined;
  readonly txId?: string | undefined;
  readonly refTxId?: string | undefined;
  /** Codes. */
  readonly provider?: string | undefined;
  readonly game?: string | undefined;
  /** What stands behind this one. */
  readonly after?: { readonly createdAt: DbTime; readonly id: bigint } | undefined;
}

export interface ResolveLine {
  readonly key: TxKey;
  readonly seen: Pick<Transaction, "leaseToken" | "reversedBy">;
  /** Replaces the tokens, so that no late attempt takes this end for its own. */
  readonly token: LeaseToken;
  readonly horizonMs: number;
  readonly change: Change;
  /** A reversal's reversed row; `change` null: it stays as it is. */
  readonly reversed?: { readonly txId: TxId; readonly seen: Status; readonly change: Change | null };
}
