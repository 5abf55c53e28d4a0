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
