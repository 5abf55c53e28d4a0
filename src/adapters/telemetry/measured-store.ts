import type { TxKey } from "../../domain/values/identifiers.ts";
import type { Span } from "../../ports/tracing.ts";
import type { TransactionStore } from "../../ports/transactions/transaction-store.ts";
import { eachCall } from "./each-call.ts";

/** @param failed - whether the store threw, so that the batch has no result. */
export type OnBatch = (kind: string, rows: number, seconds: number, failed: boolean) => void;

/** A row to read, or a line that changes a row and may belong to a trace. */
type Line = TxKey | { readonly span?: Span | undefined };

/** The searches for due rows. All other calls of the store have a batch of lines. */
const SEARCHES: ReadonlySet<string> = new Set<keyof TransactionStore>(["merchantsDue", "due"]);

/** Measures the duration of a store's batches, and adds each batch to the traces of its lines. */
export const measuredTransactionStore = (real: TransactionStore, onBatch: OnBatch): TransactionStore =>
  eachCall(real, async ({ method, args, run }) => {
    if (SEARCHES.has(method)) return run();
    const lines = args[0] as readonly Line[];
    const kind = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const began = performance.now();
    let failed = true;
    try {
      const result = await run();
      failed = false;
      return result;
    } finally {
      const durationMs = performance.now() - began;
      onBatch(kind, lines.length, durationMs / 1_000, failed);
      for (const line of lines)
        if ("span" in line) line.span?.add(kind, durationMs, failed, { batchRows: lines.length });
    }
  });
