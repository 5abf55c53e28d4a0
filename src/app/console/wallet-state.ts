import type { DbTime } from "../../domain/transaction/transaction.ts";
import { percentile } from "../../domain/values/latency-histogram.ts";
import type { WalletSums } from "../../ports/transactions/wallet-minutes.ts";

/** If at least this share of a wallet's calls got no answer, the wallet is failing. */
const SILENT_SHARE = 0.05;
/** If 5 % of a wallet's calls took this long in ms or longer, the wallet is slow. Players notice such a wait. */
const SLOW_MS = 1_000;

/**
 * How a wallet answers. `failing`: its circuit breaker was open, or at least 5 % of the calls got no answer. `slow`: 5 %
 * of the calls took a second or longer. `some_fail`: some calls got no answer.
 */
export type WalletState = "failing" | "slow" | "some_fail" | "good";

export function walletState({ calls, durations, breakerPermits }: WalletSums): WalletState {
  const [accepted = 0, rejected = 0, ...silent] = calls;
  const unanswered = silent.reduce((sum, count) => sum + count, 0);
  if (breakerPermits !== null || (unanswered > 0 && unanswered >= SILENT_SHARE * (accepted + rejected + unanswered)))
    return "failing";
  if ((percentile(durations, 0.95) ?? 0) >= SLOW_MS) return "slow";
  return unanswered > 0 ? "some_fail" : "good";
}

/** Whether a wallet was failing or slow. */
export function isTrouble(sums: WalletSums): boolean {
  const state = walletState(sums);
  return state === "failing" || state === "slow";
}

/** A wallet that is failing or slow now. */
export interface WalletTrouble {
  readonly state: "failing" | "slow";
  /** When the first step of the trouble began. */
  readonly since: DbTime;
  /** Whether no earlier step is known, so that the trouble may have begun before. */
  readonly orEarlier: boolean;
}

/**
 * Since when a wallet has been in trouble without a pause; undefined: its newest step is in order.
 *
 * @param steps - the sums of one wallet in the order of time. Steps without calls are left out.
 */
export function walletTrouble(steps: readonly WalletSums[]): WalletTrouble | undefined {
  const last = steps.at(-1);
  const state = last && walletState(last);
  if (state !== "failing" && state !== "slow") return undefined;
  const begin = steps.findLastIndex((one) => !isTrouble(one)) + 1;
  return { state, since: steps[begin]?.at ?? 0, orEarlier: begin === 0 };
}
