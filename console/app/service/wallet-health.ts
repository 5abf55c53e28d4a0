import type { Whole } from "../parts/amount.ts";

/** How a wallet answered in a time. */
export interface Health {
  readonly accepted?: Whole;
  readonly rejected?: Whole;
  readonly timeout?: Whole;
  readonly http5xx?: Whole;
  readonly unreadable?: Whole;
  readonly unreachable?: Whole;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly permitsHeld?: number;
  readonly permits?: number;
  readonly breakerPermits?: number;
}

/** The kinds of answers, the good ones first. All others leave open whether the money moved. */
export const KINDS = ["accepted", "rejected", "timeout", "http5xx", "unreadable", "unreachable"] as const;

export const callsOf = (health: Health): number => KINDS.reduce((sum, kind) => sum + Number(health[kind] ?? 0), 0);
export const failedOf = (health: Health): number =>
  callsOf(health) - Number(health.accepted ?? 0) - Number(health.rejected ?? 0);

/** A wallet is slow if its p95 is at least this. Players notice such a wait before each spin. */
const SLOW_MS = 1_000;
export const isSlow = ({ p95Ms = 0 }: Health): boolean => p95Ms >= SLOW_MS;
