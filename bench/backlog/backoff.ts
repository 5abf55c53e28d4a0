import type { LoggedAttempt } from "../../src/ports/transactions/transaction-reader.ts";

/** The minimum time between the end of the silent attempt n and the service's own next attempt: 1, 2, 4 ... 300 s. */
export const leastGapMs = (n: number): number => Math.min(2 ** (n - 1) * 1_000, 300_000);

/**
 * The largest time in ms by which an attempt came too early; 0 when every attempt waited long enough. The log has whole
 * milliseconds, so 1 ms is tolerated.
 *
 * @param attempts - the attempts of one transaction that only the service has sent again, in order.
 */
export function earlyByMs(attempts: readonly LoggedAttempt[]): number {
  let early = 0;
  attempts.forEach((attempt, i) => {
    const before = attempts[i - 1];
    if (before === undefined) return;
    const endedAt = before.at + (before.durationMs ?? 0);
    early = Math.max(early, leastGapMs(before.n) - 1 - (attempt.at - endedAt));
  });
  return early;
}
