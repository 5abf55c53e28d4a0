import { numberingOf } from "../../../src/app/feed/sequencer.ts";
import type { Content, GameRef, RowChange } from "../../../src/domain/transaction/transaction.ts";
import type { TxId } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { ChangeStore, HourSum, Unnumbered } from "../../../src/ports/transactions/change-store.ts";
import type { RoundStore } from "../../../src/ports/transactions/round-store.ts";
import {
  type Claimed,
  type ClaimLine,
  StoreFault,
  type TransactionStore,
} from "../../../src/ports/transactions/transaction-store.ts";
import { contentOf } from "../content.ts";

/** Both stores over the same rows. The merchants have no rows yet. */
export interface ChangeStoreSetup {
  readonly transactions: TransactionStore;
  readonly rounds: RoundStore;
  /** The change stores of at least one worker. With several, the workers compete for the same rows. */
  readonly stores: readonly [ChangeStore, ...ChangeStore[]];
  readonly merchantId: number;
  readonly otherMerchantId: number;
  readonly game: GameRef;
  pass(ms: number): Promise<void>;
  /** The numbers of the merchant's rows, in the order of their insertion; null: the row has no number. */
  numbers(merchantId: number): Promise<readonly (bigint | null)[]>;
  /** The merchant's last number; 0: it has none. */
  lastNumber(merchantId: number): Promise<bigint>;
  /** The stored sums of a merchant by hour and action. */
  sums(merchantId: number): Promise<readonly Pick<HourSum, "hour" | "action" | "count" | "sumMinor">[]>;
}

const HOUR_MS = 3_600_000;
let serial = 0;
const token = (): string => (0xabc0000 + ++serial).toString(16).padStart(32, "0");

export interface Held {
  readonly content: Content;
  readonly token: string;
  readonly n: number;
  readonly reversedBy: TxId | null;
}

/** What a contract does with the rows of the setup's first merchant. */
export class Actions {
  readonly setup: ChangeStoreSetup;

  constructor(setup: ChangeStoreSetup) {
    this.setup = setup;
  }

  async unnumbered(
    limit = 1_000,
    merchantId = this.setup.merchantId,
    store: ChangeStore = this.setup.stores[0],
  ): Promise<Unnumbered> {
    const [found] = await store.unnumbered([merchantId], limit);
    return found ?? { merchantId, seq: await this.setup.lastNumber(merchantId), rows: [] };
  }

  async numberAll(merchantId = this.setup.merchantId): Promise<boolean> {
    const seen = await this.unnumbered(1_000, merchantId);
    return seen.rows.length === 0 || this.number(seen);
  }

  /** Numbers rows like the sequencer. */
  number(seen: Unnumbered, store: ChangeStore = this.setup.stores[0]): Promise<boolean> {
    return store.number([numberingOf(seen)]);
  }

  /**
   * The sums of all hours together, by `"<action> <count>"`. A test may run when a new hour begins, so single hours are
   * not compared.
   */
  async sums(merchantId = this.setup.merchantId): Promise<Record<string, bigint>> {
    const byAction = new Map<string, { count: number; sumMinor: bigint }>();
    for (const { hour, action, count, sumMinor } of await this.setup.sums(merchantId)) {
      if (hour % HOUR_MS !== 0) throw new Error(`not a full hour: ${hour}`);
      const sum = byAction.get(action) ?? { count: 0, sumMinor: 0n };
      byAction.set(action, { count: sum.count + count, sumMinor: sum.sumMinor + sumMinor });
    }
    return Object.fromEntries([...byAction].map(([action, { count, sumMinor }]) => [`${action} ${count}`, sumMinor]));
  }

  async claim(more: Partial<Content>, as: ClaimLine["as"] = "leased", leaseMs = 60_000): Promise<Held> {
    const content = contentOf(this.setup, more);
    const line: ClaimLine = { content, token: token(), as, leaseMs: wholeMs(leaseMs) };
    const [claimed] = (await this.setup.transactions.claim([line])) as Claimed[];
    if (claimed?.mine !== true) throw new Error("not claimed");
    return { content, token: line.token, n: 1, reversedBy: null };
  }

  async takeOver(held: Held, leaseMs = 60_000): Promise<Held> {
    const [row] = await this.setup.transactions.read([held.content]);
    if (row === undefined || row instanceof StoreFault) throw new Error("no row");
    const next = token();
    const [taken] = await this.setup.transactions.takeOver([
      { key: row, seen: row, token: next, leaseMs: wholeMs(leaseMs) },
    ]);
    if (taken === undefined || taken instanceof StoreFault) throw new Error("not taken over");
    return { ...held, token: next, n: taken.attempts };
  }

  async settle(
    held: Held,
    change: RowChange,
    reversed?: { txId: TxId; seen: "pending" | "success" | "failed"; change: RowChange | null },
  ): Promise<void> {
    const attempt = {
      n: held.n,
      at: wholeMs(1_700_000_000_000),
      durationMs: wholeMs(3),
      httpStatus: 200,
      result: "accepted" as const,
      requestId: null,
    };
    const [applied] = await this.setup.transactions.settle([
      { key: held.content, token: held.token, change, attempt, ...(reversed === undefined ? {} : { reversed }) },
    ]);
    if (applied !== true) throw new Error("not settled");
  }

  success = (): RowChange => ({
    state: { status: "success", balanceMinor: 1n },
    resolvedBy: null,
    silent: false,
    next: null,
  });
  failed = (error: string): RowChange => ({
    state: { status: "failed", error },
    resolvedBy: null,
    silent: false,
    next: null,
  });
  silent = (next: number | "never"): RowChange => ({
    state: { status: "pending" },
    resolvedBy: null,
    silent: true,
    next: next === "never" ? next : wholeMs(next),
  });
}
