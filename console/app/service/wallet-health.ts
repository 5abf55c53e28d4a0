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
  readonly state?: string;
}

/** How a wallet is now. Its words are the same on every page. */
export interface Verdict {
  /** failing, slow, some_fail, good or quiet. */
  readonly state?: string;
  readonly since?: string;
  readonly orEarlier?: boolean;
  readonly breakerPermits?: number;
}

const ORDER = ["failing", "slow", "some_fail"];

/** Orders wallets: failing ones first, then slow ones, then those of which some calls fail, then all others. */
export const rankOf = ({ state = "" }: Verdict = {}): number =>
  ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length;

/** The kinds of answers, the good ones first. All others leave open whether the money moved. */
export const KINDS = ["accepted", "rejected", "timeout", "http5xx", "unreadable", "unreachable"] as const;

export const callsOf = (health: Health): number => KINDS.reduce((sum, kind) => sum + Number(health[kind] ?? 0), 0);
export const failedOf = (health: Health): number =>
  callsOf(health) - Number(health.accepted ?? 0) - Number(health.rejected ?? 0);
