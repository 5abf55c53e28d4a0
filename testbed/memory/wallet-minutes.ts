import type { DbTime } from "../../src/domain/transaction/transaction.ts";
import {
  type Span,
  together,
  WALLET_MINUTES_MS,
  WalletMinutes,
  type WalletSums,
} from "../../src/ports/transactions/wallet-minutes.ts";

/** Sums of wallet calls in one process, for tests. */
export class MemoryWalletMinutes extends WalletMinutes {
  readonly #now: () => DbTime;
  /** The sums by replica, merchant and span. */
  readonly #rows = new Map<string, WalletSums>();

  constructor(now: () => DbTime) {
    super();
    this.#now = now;
  }

  override async store(replica: string, sums: readonly WalletSums[]): Promise<void> {
    for (const one of sums) this.#rows.set(`${replica}/${one.merchantId}/${one.span}/${one.at}`, one);
  }

  override async read(merchantIds: readonly number[], span: Span, from: DbTime, to: DbTime): Promise<WalletSums[]> {
    const found = [...this.#rows.values()].filter(
      (row) => merchantIds.includes(row.merchantId) && row.span === span && row.at >= from && row.at < to,
    );
    const all = new Map<string, WalletSums>();
    for (const row of found) {
      const key = `${row.merchantId}/${row.at}`;
      const known = all.get(key);
      all.set(key, known === undefined ? row : together(known, row));
    }
    return [...all.values()].sort((a, b) => a.merchantId - b.merchantId || a.at - b.at);
  }

  override async forget(limit: number): Promise<number> {
    const before = this.#now() - WALLET_MINUTES_MS;
    const old = [...this.#rows].filter(([, row]) => row.at < before).slice(0, limit);
    for (const [key] of old) this.#rows.delete(key);
    return old.length;
  }
}
