import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";

/** The ways in which a wallet call ends, for people who watch wallets. `unreachable`: no connection, or no TLS. */
export const ENDINGS = ["accepted", "rejected", "timeout", "http_5xx", "unreadable", "unreachable"] as const;
export type CallEnding = (typeof ENDINGS)[number];

/** The time spans for which sums are stored, in ms: a minute and an hour. */
export const SPANS = { minute: 60_000, hour: 3_600_000 } as const;
export type Span = (typeof SPANS)[keyof typeof SPANS];

/** For how long sums are stored, in ms. */
export const WALLET_MINUTES_MS = 7 * 86_400_000;

/** The calls to one merchant's wallet in a span of time. */
export interface WalletSums {
  readonly merchantId: number;
  /** The beginning of the span, a multiple of its length. */
  readonly at: WholeMs;
  readonly span: Span;
  /** The number of calls for each way of ending, in the order of {@link ENDINGS}. */
  readonly calls: readonly number[];
  /** How many of these calls were balance queries. Replicas of older releases store 0. */
  readonly balanceCalls: number;
  /** The number of calls for each bucket of durations (domain/values/latency-histogram.ts). */
  readonly durations: readonly number[];
  /** The highest number of calls that ran at once on one replica, and the maximum that may run at once. */
  readonly permitsHeld: number;
  readonly permits: number;
  /** The smallest number of permits that the circuit breaker left; null: the breaker was closed. */
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
   * The sums of all replicas together, by merchant and by `at`, in this order: calls and durations are added; for
   * permits the highest number is used, for the breaker the smallest. Spans without calls and with a closed breaker are
   * left out.
   *
   * @param from - the first span that counts begins at or after this time.
   * @param to - the last span that counts begins before this time.
   */
  abstract read(merchantIds: readonly number[], span: Span, from: DbTime, to: DbTime): Promise<WalletSums[]>;

  /** Deletes sums older than 7 days, at most `limit`. Resolves to the number of deleted rows. */
  abstract forget(limit: number): Promise<number>;
}

/** Combines the sums of two replicas for the same merchant and span. */
export function together(a: WalletSums, b: WalletSums): WalletSums {
  const { breakerPermits: one } = a;
  const { breakerPermits: other } = b;
  return {
    ...a,
    calls: added(a.calls, b.calls),
    balanceCalls: a.balanceCalls + b.balanceCalls,
    durations: added(a.durations, b.durations),
    permitsHeld: Math.max(a.permitsHeld, b.permitsHeld),
    permits: Math.max(a.permits, b.permits),
    breakerPermits: one === null || other === null ? (one ?? other) : Math.min(one, other),
  };
}

const added = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
