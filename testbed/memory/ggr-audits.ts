import type { DbTime } from "../../src/domain/transaction/transaction.ts";
import { GgrAudits } from "../../src/ports/transactions/ggr-audits.ts";

/** Claims and compared days of one process, for tests. */
export class MemoryGgrAudits extends GgrAudits {
  readonly #days = new Map<number, DbTime>();
  readonly #now: () => DbTime;
  #holder = "";
  #until = Number.NEGATIVE_INFINITY;

  /** @param now - returns the database's time. */
  constructor(now: () => DbTime) {
    super();
    this.#now = now;
  }

  override async claim(holder: string, forMs: number): Promise<DbTime | null> {
    const now = this.#now();
    if (this.#holder !== holder && this.#until > now) return null;
    this.#holder = holder;
    this.#until = now + forMs;
    return now;
  }

  override async release(holder: string): Promise<void> {
    if (this.#holder === holder) this.#until = Number.NEGATIVE_INFINITY;
  }

  override async audited(day: DbTime): Promise<ReadonlySet<number>> {
    return new Set([...this.#days].filter(([, recorded]) => recorded >= day).map(([merchantId]) => merchantId));
  }

  override async record(merchantId: number, day: DbTime): Promise<void> {
    this.#days.set(merchantId, Math.max(day, this.#days.get(merchantId) ?? day));
  }
}
