/** When the service sends a credit again by itself (docs/specification/resends.md#resend-backoff). */

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 300_000;
const JITTER = 0.1;

/**
 * Milliseconds from silent attempt number `attempts` (1, 2, 3 ...) to the next one: 1, 2, 4 ... 300 s, plus up to 10 %
 * jitter that `fraction` in [0, 1) chooses, never above 300 s. A development environment may begin with less than 1 s.
 */
export function resendDelayMs(attempts: number, fraction: number, firstDelayMs: number = FIRST_DELAY_MS): number {
  const doubled = firstDelayMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 20);
  return Math.min(Math.round(doubled * (1 + JITTER * fraction)), LONGEST_DELAY_MS);
}
