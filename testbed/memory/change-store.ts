import type { DbTime } from "../../src/domain/transaction/transaction.ts";
import {
  ChangeStore,
  type HourSum,
  type Numbering,
  type Unnumbered,
} from "../../src/ports/transactions/change-store.ts";
import type { MemoryRow, MemoryTransactionStore } from "./transaction-store.ts";

/** Numbers the rows of a {@link MemoryTransactionStore}. */
export class MemoryChangeStore extends ChangeStore {
  /** The sums by hour, game, action and kind of each merchant. */
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

  override async unnumbered(
    merchantIds: readonly number[],
    limit: number,
    providerIds: readonly number[] = [],
  ): Promise<Unnumbered[]> {
    return merchantIds.map((id) => this.#unnumbered(id, limit, providerIds)).filter(({ rows }) => rows.length > 0);
  }

  #unnumbered(merchantId: number, limit: number, providerIds: readonly number[]): Unnumbered {
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
        kind: transaction.labels?.kind ?? null,
        createdAt: transaction.createdAt,
        gameId: transaction.game.id,
        refused: transaction.status === "failed" || (transaction.status === "success" && "rejected" in transaction),
        endedLater: transaction.resolvedBy !== null,
        orphaned: transaction.status === "pending" && transaction.leaseUntil !== null && transaction.nextAt === null,
        ...(providerIds.includes(transaction.game.providerId) && {
          round: {
            providerId: transaction.game.providerId,
            roundId: transaction.roundId,
            ended: transaction.status === "success" && transaction.roundEnded === true,
          },
        }),
        readAt: now,
      }));
    return { merchantId, seq: this.lastNumber(merchantId), rows };
  }

  /** The numbers of the merchant's rows, in the order of their insertion; null: the row has no number. */
  numbers(merchantId: number): (bigint | null)[] {
    const rows = this.#rowsOf(merchantId).map(([, row]) => row);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ feedSeq }) => feedSeq);
  }

  /** The merchant's last number; 0: it has none. */
  lastNumber(merchantId: number): bigint {
    return this.#heads.get(merchantId) ?? 0n;
  }

  override async number(numberings: readonly Numbering[]): Promise<boolean> {
    const now = this.#transactions.now();
    const rows = numberings.map((numbering) => this.#numberedRows(numbering, now));
    if (rows.includes(undefined)) return false;
    numberings.forEach(({ merchantId, seq, lines, sums, rounds }, i) => {
      for (const [key, row] of rows[i] ?? []) this.#transactions.rows.set(key, row);
      this.#heads.set(merchantId, seq + BigInt(lines.length));
      for (const sum of sums) this.#add(merchantId, sum);
      for (const { providerId, roundId, openedAt, ended } of rounds)
        this.#transactions.rounds.store({ merchantId, providerId, roundId }, openedAt, ended);
    });
    return true;
  }

  /** The rows with their numbers; undefined: a row or the merchant's last number has changed. */
  #numberedRows({ merchantId, seq, lines }: Numbering, now: DbTime): [string, MemoryRow][] | undefined {
    if (this.lastNumber(merchantId) !== seq) return undefined;
    const byId = new Map(this.#rowsOf(merchantId).map(([key, row]) => [row.id, { key, row }]));
    const rows: [string, MemoryRow][] = [];
    for (const line of lines) {
      const at = byId.get(line.id);
      if (at === undefined || at.row.feedSeq !== null || at.row.transaction.status !== line.seen) return undefined;
      if (!isNumberable(at.row, now)) return undefined;
      const transaction =
        line.nextAt === undefined ? at.row.transaction : { ...at.row.transaction, nextAt: line.nextAt };
      rows.push([at.key, { ...at.row, feedSeq: seq + BigInt(rows.length) + 1n, transaction }]);
    }
    return rows;
  }

  #rowsOf(merchantId: number): [string, MemoryRow][] {
    return [...this.#transactions.rows].filter(([, row]) => row.transaction.merchantId === merchantId);
  }

  #add(merchantId: number, sum: HourSum): void {
    const sums = this.sums.get(merchantId) ?? new Map<string, HourSum>();
    this.sums.set(merchantId, sums);
    const key = `${sum.hour}/${sum.gameId}/${sum.action}/${sum.kind}`;
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
