import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { BUCKETS } from "../../../domain/values/latency-histogram.ts";
import { wholeMs } from "../../../domain/values/whole-ms.ts";
import {
  ENDINGS,
  SPANS,
  type Span,
  together,
  WALLET_MINUTES_MS,
  WalletMinutes,
  type WalletSums,
} from "../../../ports/transactions/wallet-minutes.ts";
import type { Database } from "../connection/database.ts";
import { deleteRows, selectedRows } from "../connection/execute.ts";
import { storeRows } from "../connection/insert-rows.ts";
import { marks, type Row } from "../connection/statement.ts";
import { numberOrNull, textOf } from "../schema/columns.ts";

const KEY = ["merchant_id", "span", "at", "replica"] as const;
const VALUES = ["calls", "durations", "permits_held", "permits", "breaker_permits"] as const;
/** The numbers that the column `span` has for a minute and for an hour. They never change. */
const CODE: Readonly<Record<Span, number>> = { [SPANS.minute]: 1, [SPANS.hour]: 2 };

/** Sums of wallet calls in a table, one row for each replica, merchant and span. */
export class SqlWalletMinutes extends WalletMinutes {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override store(replica: string, sums: readonly WalletSums[]): Promise<void> {
    return storeRows(this.#database, {
      table: "wallet_minutes",
      columns: [...KEY, ...VALUES],
      key: KEY,
      rows: sums.map((one) => [
        one.merchantId,
        CODE[one.span],
        one.at,
        replica,
        // Releases without the last number read only those before it.
        [...one.calls, one.balanceCalls].join(" "),
        packed(one.durations),
        one.permitsHeld,
        one.permits,
        one.breakerPermits,
      ]),
    });
  }

  override async read(merchantIds: readonly number[], span: Span, from: DbTime, to: DbTime): Promise<WalletSums[]> {
    if (merchantIds.length === 0) return [];
    const rows = await selectedRows(this.#database, {
      sql: `SELECT merchant_id, at, ${VALUES.join(", ")} FROM wallet_minutes
        WHERE merchant_id IN (${marks(merchantIds)}) AND span = ? AND at >= ? AND at < ?
        ORDER BY merchant_id, at`,
      bindings: [...merchantIds, CODE[span], from, to],
    });
    const all: WalletSums[] = [];
    for (const row of rows) {
      const one = sumsOf(row, span);
      const last = all.at(-1);
      if (last?.merchantId === one.merchantId && last.at === one.at) all[all.length - 1] = together(last, one);
      else all.push(one);
    }
    return all;
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "wallet_minutes", (now) => `at < ${now} - ${WALLET_MINUTES_MS}`, limit);
  }
}

function sumsOf(row: Row, span: Span): WalletSums {
  const counts = textOf(row.calls).split(" ").map(Number);
  return {
    merchantId: Number(row.merchant_id),
    at: wholeMs(Number(row.at)),
    span,
    calls: counts.slice(0, ENDINGS.length),
    balanceCalls: counts[ENDINGS.length] ?? 0,
    durations: unpacked(textOf(row.durations)),
    permitsHeld: Number(row.permits_held),
    permits: Number(row.permits),
    breakerPermits: numberOrNull(row.breaker_permits),
  };
}

/**
 * The buckets with counts, as `bucket:count` with spaces between them. Most histograms have counts in only a few
 * buckets.
 */
const packed = (counts: readonly number[]): string =>
  counts.flatMap((count, bucket) => (count === 0 ? [] : [`${bucket}:${count}`])).join(" ");

function unpacked(text: string): number[] {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const part of text === "" ? [] : text.split(" ")) {
    const [bucket, count] = part.split(":");
    counts[Number(bucket)] = Number(count);
  }
  return counts;
}
