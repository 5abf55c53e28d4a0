import type { LoggedAttempt } from "../../src/ports/transactions/transaction-reader.ts";

/**
 * The least that lies between the end of a silent attempt number n and the service's own next one: 1, 2, 4 ... 300 s.
 */
export const leastGapMs = (n: number): number => Math.min(2 ** (n - 1) * 1_000, 300_000);

/**
 * How much too early the earliest of the attempts came, in ms: 0 when each waited as long as it must. A log's times are
 * in whole milliseconds, so one is forgiven.
 *
 * @param attempts - of one transaction that nobody but the service has sent again, in their order.
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
