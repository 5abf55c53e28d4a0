import type { DbTime } from "../domain/transaction/transaction.ts";

/** How a wallet's calls end, for people who watch wallets. `unreachable`: no connection, or no TLS. */
export const ENDINGS = ["accepted", "rejected", "timeout", "http_5xx", "unreadable", "unreachable"] as const;
export type CallEnding = (typeof ENDINGS)[number];

/** The spans of time that sums are kept for, in ms: a minute and an hour. */
export const SPANS = { minute: 60_000, hour: 3_600_000 } as const;
export type Span = (typeof SPANS)[keyof typeof SPANS];

/** Sums are kept for this long, in ms. */
export const WALLET_MINUTES_MS = 7 * 86_400_000;

/** The calls to one merchant's wallet in a span of time. */
export interface WalletSums {
  readonly merchantId: number;
  /** The beginning of the span, a multiple of its length. */
  readonly at: DbTime;
  readonly span: Span;
  /** Calls by their ending, in the order of {@link ENDINGS}. */
  readonly calls: readonly number[];
  /** Calls by their duration (domain/values/latency-histogram.ts). */
  readonly durations: readonly number[];
  /** The most calls that ran at once on one replica, and the most that may. */
  readonly permitsHeld: number;
  readonly permits: number;
  /** The least permits that the circuit breaker left; null: it was closed. */
  readonly breakerPermits: number | null;
}

/** Sums of wallet calls by minute and by hour. Throws StoreUnavailable. */
export abstract class WalletMinutes {
  /**
   * Stores the sums of one replica. Sums of the same replica, merchant and span are replaced, so a repeat is harmless.
   *
   * @param replica - the id of the process.
   */
  abstract store(replica: string, sums: readonly WalletSums[]): Promise<void>;

  /**
   * The sums of all replicas together, by merchant and by `at`, in this order: calls and durations are added, of permits
   * the greatest counts and of the breaker the least. Spans without calls and with a closed breaker are left out.
   *
   * @param from - the first span that counts begins at or after this time.
   * @param to - the last span that counts begins before this time.
   */
  abstract read(merchantIds: readonly number[], span: Span, from: DbTime, to: DbTime): Promise<WalletSums[]>;

  /** Deletes sums older than 7 days, at most `limit`. Resolves to the number of deleted rows. */
  abstract forget(limit: number): Promise<number>;
}

/** The sums of two replicas for the same merchant and span, together. */
export function together(a: WalletSums, b: WalletSums): WalletSums {
  const { breakerPermits: one } = a;
  const { breakerPermits: other } = b;
  return {
    ...a,
    calls: added(a.calls, b.calls),
    durations: added(a.durations, b.durations),
    permitsHeld: Math.max(a.permitsHeld, b.permitsHeld),
    permits: Math.max(a.permits, b.permits),
    breakerPermits: one === null || other === null ? (one ?? other) : Math.min(one, other),
  };
}

const added = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
