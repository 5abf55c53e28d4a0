import type { Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { Span } from "../../ports/tracing.ts";
import {
  type AdoptLine,
  type Claimed,
  type ClaimLine,
  type LineResult,
  type MarkLine,
  type PlayClaimLine,
  type PlaySettleLine,
  type ScheduleLine,
  type SealLine,
  type SettleBetLine,
  type SettleLine,
  type TakeOverLine,
  TransactionStore,
} from "../../ports/transactions/transaction-store.ts";

/** @param failed - whether the store threw, so that the batch has no result. */
export type OnBatch = (kind: string, rows: number, seconds: number, failed: boolean) => void;

/** A row to read, or a line that changes a row and may belong to a trace. */
type Line = TxKey | { readonly span?: Span | undefined };

/** Measures the duration of a store's batches, and adds each batch to the traces of its lines. */
export class MeasuredTransactionStore extends TransactionStore {
  readonly #real: TransactionStore;
  readonly #onBatch: OnBatch;

  constructor(real: TransactionStore, onBatch: OnBatch) {
    super();
    this.#real = real;
    this.#onBatch = onBatch;
  }

  override read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#measured("read", keys, this.#real.read(keys));
  }

  override claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]> {
    return this.#measured("claim", lines, this.#real.claim(lines));
  }

  override claimPlay(lines: readonly PlayClaimLine[]): Promise<LineResult<Claimed>[]> {
    return this.#measured("claim_play", lines, this.#real.claimPlay(lines));
  }

  override takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#measured("take_over", lines, this.#real.takeOver(lines));
  }

  override adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#measured("adopt", lines, this.#real.adopt(lines));
  }

  override wait(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#measured("wait", lines, this.#real.wait(lines));
  }

  override mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("mark", lines, this.#real.mark(lines));
  }

  override seal(lines: readonly SealLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("seal", lines, this.#real.seal(lines));
  }

  override settleBet(lines: readonly SettleBetLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("settle_bet", lines, this.#real.settleBet(lines));
  }

  override settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("settle", lines, this.#real.settle(lines));
  }

  override settlePlay(lines: readonly PlaySettleLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("settle_play", lines, this.#real.settlePlay(lines));
  }

  override schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]> {
    return this.#measured("schedule", lines, this.#real.schedule(lines));
  }

  override merchantsDue(): Promise<number[]> {
    return this.#real.merchantsDue();
  }

  override due(merchantIds: readonly number[], limit: number): Promise<TxKey[]> {
    return this.#real.due(merchantIds, limit);
  }

  async #measured<T>(kind: string, lines: readonly Line[], work: Promise<T>): Promise<T> {
    const began = performance.now();
    let failed = true;
    try {
      const result = await work;
      failed = false;
      return result;
    } finally {
      const durationMs = performance.now() - began;
      this.#onBatch(kind, lines.length, durationMs / 1_000, failed);
      for (const line of lines)
        if ("span" in line) line.span?.add(kind, durationMs, failed, { batchRows: lines.length });
    }
  }
}
