import type { DbTime } from "../../domain/transaction/transaction.ts";
import {
  ChangeStore,
  type HourSum,
  type NumberLine,
  type UnnumberedRow,
} from "../../ports/transactions/change-store.ts";
import type { MemoryRow, MemoryTransactionStore } from "./transaction-store.ts";

/** Numbers the rows of a {@link MemoryTransactionStore}. */
export class MemoryChangeStore extends ChangeStore {
  /** The sums by hour, game and action of each merchant. */
  readonly sums = new Map<number, Map<string, HourSum>>();
  readonly #heads = new Map<number, bigint>();
  readonly #transactions: MemoryTransactionStore;

  constructor(transactions: MemoryTransactionStore) {
    super();
    this.#transactions = transactions;
  }

  override async waiting(merchantIds: readonly number[]): Promise<number[]> {
    const now = this.#transactions.now();
    return merchantIds.filter((id) =>
      this.#rowsOf(id).some(([, row]) => row.feedSeq === null && isNumberable(row, now)),
    );
  }

  override async unnumbered(merchantId: number, limit: number): Promise<{ seq: bigint; rows: UnnumberedRow[] }> {
    const now = this.#transactions.now();
    const rows = this.#rowsOf(merchantId)
      .filter(([, row]) => row.feedSeq === null && isNumberable(row, now))
      .sort(([, a], [, b]) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(([, { id, transaction }]) => ({
        id,
        status: transaction.status,
        action: transaction.action,
        amountMinor: transaction.amountMinor,
        createdAt: transaction.createdAt,
        gameId: transaction.game.id,
        refused: transaction.status === "failed" || (transaction.status === "success" && "rejected" in transaction),
        endedLater: transaction.resolvedBy !== null,
        orphaned: transaction.status === "pending" && transaction.leaseUntil !== null && transaction.nextAt === null,
        readAt: now,
      }));
    return { seq: this.#heads.get(merchantId) ?? 0n, rows };
  }

  override async number(
    merchantId: number,
    seq: bigint,
    lines: readonly NumberLine[],
    sums: readonly HourSum[],
  ): Promise<boolean> {
    if ((this.#heads.get(merchantId) ?? 0n) !== seq) return false;
    const byId = new Map(this.#rowsOf(merchantId).map(([key, row]) => [row.id, { key, row }]));
    const found = lines.map((line, i) => ({ line, at: byId.get(line.id), feedSeq: seq + BigInt(i) + 1n }));
    const now = this.#transactions.now();
    if (
      found.some(
        ({ line, at }) =>
          at === undefined ||
          at.row.feedSeq !== null ||
          at.row.transaction.status !== line.seen ||
          !isNumberable(at.row, now),
      )
    )
      return false;
    for (const { line, at, feedSeq } of found) {
      if (at === undefined) continue;
      const transaction =
        line.nextAt === undefined ? at.row.transaction : { ...at.row.transaction, nextAt: line.nextAt };
      this.#transactions.rows.set(at.key, { ...at.row, feedSeq, transaction });
    }
    this.#heads.set(merchantId, seq + BigInt(lines.length));
    for (const sum of sums) this.#add(merchantId, sum);
    return true;
  }

  #rowsOf(merchantId: number): [string, MemoryRow][] {
    return [...this.#transactions.rows].filter(([, row]) => row.transaction.merchantId === merchantId);
  }

  #add(merchantId: number, sum: HourSum): void {
    const sums = this.sums.get(merchantId) ?? new Map<string, HourSum>();
    this.sums.set(merchantId, sums);
    const key = `${sum.hour}/${sum.gameId}/${sum.action}`;
    const old = sums.get(key);
    sums.set(
      key,
      old === undefined ? sum : { ...sum, count: old.count + sum.count, sumMinor: old.sumMinor + sum.sumMinor },
    );
  }
}

/** Whether the row may be numbered: no attempt of it is in progress, so no attempt will change its state. */
const isNumberable = ({ transaction }: MemoryRow, now: DbTime): boolean =>
  transaction.status !== "pending" || transaction.leaseUntil === null || transaction.leaseUntil <= now;
