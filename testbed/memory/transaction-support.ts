import {
  type DbTime,
  isInFlight,
  isWaiting,
  type LeaseToken,
  lastUnansweredAt,
  type RowChange,
  type Transaction,
} from "../../src/domain/transaction/transaction.ts";
import { keyText, type TxId, type TxKey } from "../../src/domain/values/identifiers.ts";
import { type ResolveLine, TransactionSupport } from "../../src/ports/transactions/transaction-support.ts";
import { type MemoryRow, type MemoryTransactionStore, withState } from "./transaction-store.ts";

/** Lets support resolve the pending rows of a {@link MemoryTransactionStore}. It writes no audit log. */
export class MemoryTransactionSupport extends TransactionSupport {
  readonly #transactions: MemoryTransactionStore;

  constructor(transactions: MemoryTransactionStore) {
    super();
    this.#transactions = transactions;
  }

  override async resolve({ key, seen, token, horizonMs, change, reversed, win }: ResolveLine): Promise<boolean> {
    const { rows } = this.#transactions;
    const now = this.#transactions.now();
    const row = rows.get(keyText(key));
    if (row === undefined) return false;
    const was = { ...row.transaction, readAt: now };
    // The row already has this line's token: the caller did not get the first answer and has sent the line again.
    if (was.leaseToken === token) return true;
    if (was.status !== "pending" || was.leaseToken !== seen.leaseToken || was.reversedBy !== seen.reversedBy)
      return false;
    if (isInFlight(was) || was.openedAt >= now - horizonMs) return false;
    if (reversed !== undefined) {
      const otherKey = keyText({ merchantId: key.merchantId, txId: reversed.txId });
      const other = rows.get(otherKey);
      if (other === undefined) return false;
      const there = { ...other.transaction, readAt: now };
      if (there.status !== reversed.seen || there.reversedBy !== key.txId || isInFlight(there)) return false;
      if (reversed.change !== null)
        rows.set(
          otherKey,
          closed(other, there, reversed.change, there.leaseUntil === null ? there.leaseToken : token, now),
        );
    }
    const settles = win === undefined ? false : this.#makeDue(key, win);
    if (settles === undefined) return false;
    const ended = closed(row, was, change, token, now);
    const settledBy = settles && win !== undefined ? win : was.settledBy;
    rows.set(keyText(key), { ...ended, transaction: { ...ended.transaction, settledBy } });
    return true;
  }

  /** Makes the win that waits for a bet due. Returns whether it settles the bet. `undefined`: it does not wait. */
  #makeDue({ merchantId, txId }: TxKey, win: TxId): boolean | undefined {
    const { rows, now } = this.#transactions;
    const key = keyText({ merchantId, txId: win });
    const row = rows.get(key);
    if (row === undefined || !isWaiting(row.transaction) || row.transaction.bet?.txId !== txId) return undefined;
    const at = now();
    const times = { nextAt: at, createdAt: at, openedAt: at, updatedAt: at };
    const transaction = { ...withState(row.transaction, { status: "pending" }), ...times };
    rows.set(key, { ...row, feedSeq: null, transaction });
    return row.transaction.bet.settles;
  }
}

const closed = (
  row: MemoryRow,
  was: Transaction,
  { state, resolvedBy }: RowChange,
  leaseToken: LeaseToken,
  now: DbTime,
): MemoryRow => ({
  ...row,
  feedSeq: null,
  transaction: {
    ...withState(was, state),
    resolvedBy,
    leaseToken,
    leaseUntil: null,
    silentAt: lastUnansweredAt(was),
    nextAt: null,
    updatedAt: now,
  },
});
